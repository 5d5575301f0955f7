package dev.silkroute.app.station;

import io.quarkus.runtime.Application;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import sun.misc.Signal;

/**
 * The way down. A signal makes the JVM exit with 0; its shutdown hooks run side by side, so the one that stops the
 * servers first waits for Quarkus to be down, whose routes drain into them. Where Kafka is away nothing drains, and a producer that is closed waits for
 * it without a limit: then the JVM ends without Quarkus.
 */
final class Stopping {
    private static final Logger LOGGER = Logger.getLogger(Stopping.class);
    /** Of the 30 s that a stop may take, what the routes have; the servers have the rest. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(18);

    private Stopping() {}

    static void install(Station station) {
        for (var name : new String[] {"TERM", "INT", "HUP"}) {
            Signal.handle(new Signal(name), signal -> System.exit(0));
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

    /** @return false if its time was too short for it */
    private static boolean drain() {
        try {
            CompletableFuture.runAsync(Stopping::awaitQuarkus).get(DRAIN_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOGGER.warnf("The routes did not come to their end within %d s", DRAIN_LIMIT.toSeconds());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException e) {
            LOGGER.warn("The routes did not come to a clean end", e.getCause());
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
