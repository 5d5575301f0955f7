package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.routes.RouteFiles;
import dev.silkroute.app.routes.RouteProblem;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.TemplatedRouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.errorhandler.NoErrorHandlerDefinition;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.jspecify.annotations.Nullable;

/**
 * Routes of one template, in a Camel context of their own. Without Quarkus no listener, database or Kafka client has
 * to be kept from starting, and the context is up in well under a second. Logging is off meanwhile, because the
 * command reports failures itself, on one line.
 */
final class MockRoutes implements AutoCloseable {
    private static final Logger ROOT_LOGGER = Logger.getLogger("");

    private final String template;
    private final DefaultCamelContext camel = new DefaultCamelContext(false);
    private String resource = "";
    private final @Nullable Level logLevel = ROOT_LOGGER.getLevel();

    /**
     * @param template the template's id, which is also the file's name without its extension
     * @param shutdownSeconds the longest time that the routes may take to stop
     */
    MockRoutes(String template, long shutdownSeconds) {
        this.template = template;
        camel.disableJMX();
        camel.getShutdownStrategy().setTimeout(shutdownSeconds);
        camel.getShutdownStrategy().setTimeUnit(TimeUnit.SECONDS);
        camel.getCamelContextExtension().setErrorHandlerFactory(new NoErrorHandlerDefinition());
        ROOT_LOGGER.setLevel(Level.OFF);
    }

    CamelContext camel() {
        return camel;
    }

    /**
     * Creates a route for each set of template parameters.
     *
     * @param directory a directory whose copy of the file, if any, replaces the packaged one
     * @throws UsageError if the file is invalid
     */
    void load(@Nullable Path directory, Stream<Map<String, Object>> routes) {
        resource = RouteFiles.location(template, directory);
        try {
            camel.build();
            PluginHelper.getRoutesLoader(camel).loadRoutes(ResourceHelper.resolveMandatoryResource(camel, resource));
            routes.forEach(this::add);
        } catch (Exception e) {
            throw new UsageError(problem(e), e);
        }
    }

    private void add(Map<String, Object> parameters) {
        TemplatedRouteBuilder.builder(camel, template).parameters(parameters).add();
    }

    /** @throws OperatorError if the routes cannot be started */
    void start() {
        try {
            camel.start();
        } catch (RuntimeException e) {
            throw new OperatorError(problem(e), e);
        }
    }

    private String problem(Exception e) {
        return RouteProblem.of(e, camel, resource).text();
    }

    /** Stops the routes, which closes connections that are still open. */
    @Override
    public void close() {
        camel.stop();
        ROOT_LOGGER.setLevel(logLevel);
    }
}
