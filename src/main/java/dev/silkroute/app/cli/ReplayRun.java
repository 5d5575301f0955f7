package dev.silkroute.app.cli;

import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.Survey;
import dev.silkroute.component.replay.ReplayComponent;
import dev.silkroute.component.replay.ReplayListener;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.TemplatedRouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.errorhandler.NoErrorHandlerDefinition;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.jspecify.annotations.Nullable;

/**
 * Runs the routes of a replay in a Camel of their own: no Quarkus around it, so no listener, database, Kafka or station
 * route has to be kept from starting, and it is up in well under a second.
 */
final class ReplayRun implements AutoCloseable {
    private static final Logger ROOT_LOGGER = Logger.getLogger("");
    private static final String TEMPLATE = "replay";
    private static final String ROUTES = "replay.xml";
    private static final String LISTENER = "replayTally";
    private static final long POLL_MILLIS = 100;

    /** Long enough for what is on its way, short enough for a station that does not read. */
    private static final long SHUTDOWN_SECONDS = 2;

    record Source(CaptureFile capture, Survey survey, CaptureSession session) {
        long length(Options options) {
            long pass = options.bytes() > 0 ? Math.min(options.bytes(), session.bytes()) : session.bytes();
            return pass * options.loop();
        }
    }

    record Options(
            StationAddress station,
            String speed,
            int loop,
            long bytes,
            boolean hold,
            @Nullable Path routesDirectory) {}

    /** Why it could not start, in one line. */
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        Failure(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Options options;
    private final ReplayTally tally;
    private final CamelContext camel;
    private final @Nullable Level logLevel = ROOT_LOGGER.getLevel();

    ReplayRun(ReplayComponent component, Options options, ReplayTally tally) {
        this.options = options;
        this.tally = tally;
        this.camel = context(component);
        // What Camel would log of a failure, the command says in its one line.
        ROOT_LOGGER.setLevel(Level.OFF);
    }

    /** Starts a route for each session; returns when they run. */
    void start(List<Source> sources) throws Failure {
        String resource = resource();
        try {
            camel.build();
            PluginHelper.getRoutesLoader(camel).loadRoutes(ResourceHelper.resolveMandatoryResource(camel, resource));
            for (Source source : sources) {
                TemplatedRouteBuilder.builder(camel, TEMPLATE)
                        .parameters(parameters(source))
                        .add();
            }
            tally.begin();
            camel.start();
        } catch (Exception e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            throw new Failure(
                    resource + ": "
                            + String.valueOf(root.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""),
                    e);
        }
    }

    /** Waits until all sessions have ended, or for the interruption. */
    void await(Interruption interruption, ReplayProgress progress) {
        boolean done = false;
        while (!done && !interruption.happened()) {
            done = tally.await(POLL_MILLIS);
            progress.update(done);
        }
    }

    /** Closes the connections that are still open. */
    @Override
    public void close() {
        camel.stop();
        ROOT_LOGGER.setLevel(logLevel);
    }

    private CamelContext context(ReplayComponent component) {
        DefaultCamelContext context = new DefaultCamelContext(false);
        context.disableJMX();
        context.getShutdownStrategy().setTimeout(SHUTDOWN_SECONDS);
        context.getShutdownStrategy().setTimeUnit(TimeUnit.SECONDS);
        context.getCamelContextExtension().setErrorHandlerFactory(new NoErrorHandlerDefinition());
        context.addComponent("replay", component);
        context.getRegistry().bind(LISTENER, ReplayListener.class, tally);
        return context;
    }

    private String resource() {
        Path directory = options.routesDirectory();
        Path edited = directory == null ? null : directory.resolve(ROUTES);
        return edited != null && Files.exists(edited) ? "file:" + edited : "classpath:routes/" + ROUTES;
    }

    private Map<String, Object> parameters(Source source) {
        return Map.of(
                "file", encode(source.capture().file()),
                "session", source.session().index(),
                "to", options.station(),
                "speed", options.speed(),
                "loop", options.loop(),
                "bytes", options.bytes(),
                "hold", options.hold(),
                "listener", "#" + LISTENER);
    }

    /** A path may hold what means something else in a URI. */
    private static String encode(Path file) {
        return URLEncoder.encode(file.toString(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
