package dev.silkroute.app.embedded;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * An embedded server that is restarted, on the same port and storage, when it ends unexpectedly, such as for lack of
 * memory. To its clients it was unavailable for some seconds. Thread-safe.
 */
public final class SupervisedServer<S extends EmbeddedServer> implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(SupervisedServer.class);
    private static final long RESTART_DELAY_SECONDS = 2;
    private static final Executor DELAYED = CompletableFuture.delayedExecutor(
            RESTART_DELAY_SECONDS,
            TimeUnit.SECONDS,
            task -> Thread.ofPlatform().name("silkroute-restart").daemon().start(task));

    private final String name;
    private final Supplier<S> start;
    private S server;
    private boolean closed;

    private SupervisedServer(String name, Supplier<S> start) {
        this.name = name;
        this.start = start;
        this.server = start.get();
    }

    /** Starts the server. An exception of this first start is passed on. */
    public static <S extends EmbeddedServer> SupervisedServer<S> start(String name, Supplier<S> start) {
        var supervised = new SupervisedServer<>(name, start);
        supervised.watch();
        return supervised;
    }

    public synchronized S get() {
        return server;
    }

    /**
     * Stops the server. A restart in progress is not awaited: its server is stopped as soon as it has started, or
     * ends with this process.
     */
    @Override
    public synchronized void close() {
        closed = true;
        server.close();
    }

    private void watch() {
        var unused = get().process().onExit().thenRun(this::onExit);
    }

    private synchronized void onExit() {
        if (!closed) {
            LOGGER.errorf("%s has ended unexpectedly and is restarted in %d s", name, RESTART_DELAY_SECONDS);
            DELAYED.execute(this::restart);
        }
    }

    /**
     * Restarts the server without holding the lock, because that can take minutes and the station may stop meanwhile.
     */
    private void restart() {
        if (isClosed()) {
            return;
        }
        try {
            var started = start.get();
            if (!accept(started)) {
                started.close();
                return;
            }
            watch();
            LOGGER.infof("%s has been restarted", name);
        } catch (RuntimeException e) {
            if (!isClosed()) {
                LOGGER.errorf(
                        "%s could not be restarted, next attempt in %d s: %s",
                        name, RESTART_DELAY_SECONDS, e.getMessage());
                DELAYED.execute(this::restart);
            }
        }
    }

    /** Accepts a restarted server, unless this was closed meanwhile; returns whether it did. */
    private synchronized boolean accept(S started) {
        if (!closed) {
            server = started;
        }
        return !closed;
    }

    private synchronized boolean isClosed() {
        return closed;
    }
}
