package dev.silkroute.chaos;

import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A router that sends changes until it is silenced, and then keeps its connection open. When it loses the connection,
 * it reconnects and starts a new session.
 */
final class SyntheticRouter extends SimulatedRouter {
    private static final int PIECE = 16_384;
    private static final long RECONNECT_MILLIS = 250;
    private static final int CLOSED_CHECK_MILLIS = 1;

    private final LoadRouter router;
    private final IntSupplier port;
    private final double changesPerSecond;
    private final Thread thread;
    /** The number of changes that it may make. */
    private volatile long most;

    private volatile boolean silence;
    private volatile boolean silent;
    private volatile boolean closed;
    private volatile @Nullable Socket connection;

    /**
     * @param port of the collector for the next session
     * @param changesPerSecond 0 for no limit
     * @param most the maximum number of changes before {@link #talk} allows more
     */
    SyntheticRouter(LoadRouter router, IntSupplier port, double changesPerSecond, long most) {
        this.most = most;
        this.router = router;
        this.port = port;
        this.changesPerSecond = changesPerSecond;
        thread = Thread.ofPlatform().daemon().name(router.name()).start(this::run);
    }

    @Override
    LoadRouter plan() {
        return router;
    }

    @Override
    void fallSilent() {
        silence = true;
    }

    @Override
    void talk(long changes) {
        most = changes == Long.MAX_VALUE ? changes : router.changes() + changes;
        silence = false;
    }

    @Override
    boolean isThrough() {
        return router.changes() >= most;
    }

    @Override
    boolean isSilent() {
        return silent;
    }

    @Override
    void reconnect() {
        try {
            Socket open = connection;
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        reconnect();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt())) {
                connection = socket;
                socket.setTcpNoDelay(true);
                if (sessions.getAndIncrement() > 0) {
                    router.restart();
                }
                talk(socket);
            } catch (IOException e) {
                silent = false;
                Pause.millis(RECONNECT_MILLIS);
            }
        }
    }

    private void talk(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        ByteSink sink = new ByteSink(2 * PIECE);
        long begun = System.nanoTime();
        long changedBefore = router.changes();
        while (!closed) {
            sink.reset();
            while (sink.position() < PIECE && !due(begun, changedBefore)) {
                router.next(sink);
            }
            if (sink.position() > 0) {
                out.write(sink.array(), 0, sink.position());
                bytes.addAndGet(sink.position());
            } else if (silence && router.isChanging()) {
                silent = true;
                awaitWordOrEnd(socket);
                silent = false;
                begun = System.nanoTime();
                changedBefore = router.changes();
            } else {
                Pause.millis(5);
            }
        }
    }

    /** Returns whether the next messages have to wait, for their time or because everything is sent. */
    private boolean due(long begun, long changedBefore) {
        if (!router.isChanging()) {
            return false;
        }
        return silence
                || isThrough()
                || changesPerSecond > 0
                        && router.changes() - changedBefore >= (System.nanoTime() - begun) / 1e9 * changesPerSecond;
    }

    private void awaitWordOrEnd(Socket socket) throws IOException {
        socket.setSoTimeout(CLOSED_CHECK_MILLIS);
        while (silence && !closed) {
            try {
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("closed by the station");
                }
            } catch (java.net.SocketTimeoutException e) {
                Pause.millis(20);
            }
        }
    }
}
