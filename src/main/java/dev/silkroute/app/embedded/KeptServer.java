package dev.silkroute.app.embedded;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * An embedded server that is started again when it ends by itself, on the same port and storage: killed for want of
 * memory, say. What uses it sees a server that was away for some seconds. Thread-safe.
 */
public final class KeptServer<S extends EmbeddedServer> implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(KeptServer.class);
    private static final long PAUSE_SECONDS = 2;
    private static final Executor LATER = CompletableFuture.delayedExecutor(
            PAUSE_SECONDS,
            TimeUnit.SECONDS,
            task -> Thread.ofPlatform().name("silkroute-restart").daemon().start(task));

    private final String name;
    private final Supplier<S> start;
    private S server;
    private boolean closed;

    private KeptServer(String name, Supplier<S> start) {
        this.name = name;
        this.start = start;
        this.server = start.get();
    }

    /** Starts it; a first start that fails throws what the start throws. */
    public static <S extends EmbeddedServer> KeptServer<S> start(String name, Supplier<S> start) {
        var kept = new KeptServer<>(name, start);
        kept.watch();
        return kept;
    }

    public synchronized S get() {
        return server;
    }

    /** Doesn't wait for one that is just being started: that is stopped when it has started, or ends with this process. */
    @Override
    public synchronized void close() {
        closed = true;
        server.close();
    }

    private void watch() {
        var unused = get().process().onExit().thenRun(this::ended);
    }

    private synchronized void ended() {
        if (!closed) {
            LOGGER.errorf("%s ended by itself and is started again", name);
            LATER.execute(this::restart);
        }
    }

    /** What starts can take minutes, so it has no lock: the station may stop meanwhile. */
    private void restart() {
        if (isClosed()) {
            return;
        }
        try {
            var started = start.get();
            if (!keep(started)) {
                started.close();
                return;
            }
            watch();
            LOGGER.infof("%s is back", name);
        } catch (RuntimeException e) {
            if (!isClosed()) {
                LOGGER.errorf("%s could not be started again: %s", name, e.getMessage());
                LATER.execute(this::restart);
            }
        }
    }

    /** False where it comes too late. */
    private synchronized boolean keep(S started) {
        if (!closed) {
            server = started;
        }
        return !closed;
    }

    private synchronized boolean isClosed() {
        return closed;
    }
}
