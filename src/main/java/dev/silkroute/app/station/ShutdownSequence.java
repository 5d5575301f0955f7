package dev.silkroute.app.station;

import io.quarkus.runtime.Application;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import sun.misc.Signal;

/**
 * Stops the station on a signal: first Quarkus, whose routes drain into the servers, then the servers. Shutdown hooks
 * run concurrently, so the hook of this class waits for the one of Quarkus. While Kafka is unavailable nothing
 * drains, and closing a producer blocks without a limit; after {@link #DRAIN_LIMIT} the JVM is halted without waiting
 * for Quarkus.
 */
final class ShutdownSequence {
    private static final Logger LOGGER = Logger.getLogger(ShutdownSequence.class);

    /** The routes' share of the 30 s that a stop may take; the rest is for the servers. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(18);

    private ShutdownSequence() {}

    static void install(Station station) {
        for (var name : new String[] {"TERM", "INT", "HUP"}) {
            Signal.handle(new Signal(name), _ -> System.exit(0));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(station), "silkroute-stop"));
    }

    private static void stop(Station station) {
        boolean drained = drain();
        station.close();
        if (!drained) {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Waits for Quarkus to stop and returns whether it has done so in time. */
    private static boolean drain() {
        try {
            CompletableFuture.runAsync(ShutdownSequence::awaitQuarkus).get(DRAIN_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOGGER.warnf(
                    "The routes did not stop within %d s: the station stops without them, records not yet in Kafka are lost",
                    DRAIN_LIMIT.toSeconds());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOGGER.warn("Stopping the routes failed", e.getCause());
        }
        return true;
    }

    private static void awaitQuarkus() {
        var application = Application.currentApplication();
        if (application != null) {
            application.awaitShutdown();
        }
    }
}
