package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.app.http.HttpTls;
import dev.silkroute.app.routes.Listeners;
import dev.silkroute.app.routes.Placeholders;
import dev.silkroute.app.routes.RouteFiles;
import dev.silkroute.app.routes.RouteReloader;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.CamelContext;
import org.apache.camel.quarkus.main.CamelMain;
import org.eclipse.microprofile.config.Config;

/** Runs once Quarkus is up: starts the routes, prints the ready line and waits for the stop. */
@Singleton
@Unremovable
public final class StationApplication implements QuarkusApplication {
    /** The property of the running station with the URL of its database without a password. */
    static final String SHOWN_JDBC_URL = "station.shown-jdbc-url";

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration READY_POLL = Duration.ofMillis(20);

    private final CamelMain camel;
    private final Config sources;
    private final StationConfig config;
    private final SmallRyeHealthReporter health;

    @Inject
    StationApplication(CamelMain camel, Config sources, StationConfig config, SmallRyeHealthReporter health) {
        this.camel = camel;
        this.sources = sources;
        this.config = config;
        this.health = health;
    }

    @Override
    public int run(String... arguments) {
        var context = camel.getCamelContext();
        Placeholders.bySettings(context);
        var reloader = new RouteReloader(
                context,
                sources,
                RouteFiles.of(config.roles(), config.routesDir().orElse(null)));
        camel.configure().setRoutesIncludePattern(reloader.includePattern());
        try {
            camel.startEngine();
            reloader.adopt();
            checkListener(context);
            context.addService(reloader);
        } catch (OperatorError e) {
            throw e;
        } catch (Exception e) {
            throw StartFailure.ofRoutes(e, context);
        }
        awaitReadiness();
        System.out.println(readyLine());
        Quarkus.waitForExit();
        return 0;
    }

    /** Checks that a route listens on the BMP port, because the ready line promises that routers can connect. */
    private void checkListener(CamelContext context) {
        int port = config.bmpPort();
        if (port != 0 && !Listeners.isListening(context, port) && Ports.isFree(config.bmpHost(), port)) {
            throw new OperatorError("no route listens on the BMP port " + port + ", which the role collector requires");
        }
    }

    /**
     * Waits for the consumers of Kafka, which connect on their own threads after the start. If that takes longer than
     * the timeout, the ready line is printed anyway and {@code /q/health/ready} reports what is missing.
     */
    private void awaitReadiness() {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (health.getReadiness().isDown() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(READY_POLL.toNanos());
        }
    }

    private String readyLine() {
        int bmpPort = config.bmpPort();
        return "Silkroute is ready: BMP " + (bmpPort == 0 ? "off" : "tcp/" + bmpPort)
                + " · HTTP " + HttpTls.scheme(config.http()) + "://" + config.httpHost() + ":" + config.httpPort()
                + " · PostgreSQL " + sources.getValue(SHOWN_JDBC_URL, String.class)
                + " · Kafka " + config.kafkaBootstrap().orElse("");
    }
}
