package dev.silkroute.chaos;

import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A router that has a session with each of several collectors and sends the same changes in all of them until it is
 * silenced. A session that has lost its connection begins again with the tables as they are then.
 */
final class TwinRouter extends SimulatedRouter {
    private static final int PIECE = 16_384;
    private static final long RECONNECT_MILLIS = 250;
    private static final long IDLE_MILLIS = 5;

    private final double changesPerSecond;
    private final List<Feed> feeds;
    private final long begun = System.nanoTime();
    /** The number of changes that it has made in the end, {@link Long#MAX_VALUE} until it is silenced. */
    private volatile long last = Long.MAX_VALUE;

    private volatile boolean closed;

    /** @param number of the router in the plan */
    TwinRouter(LoadPlan plan, int number, List<StationPart> collectors, double changesPerSecond) {
        this.changesPerSecond = changesPerSecond;
        feeds = collectors.stream()
                .map(collector -> new Feed(plan.router(number), collector.bmpPort()))
                .toList();
        feeds.forEach(feed -> feed.thread.start());
    }

    /** One of the sessions, with a copy of the tables: all copies make the same changes in the same order. */
    private final class Feed {
        private final LoadRouter copy;
        private final int port;
        private final Thread thread;
        private volatile boolean complete;
        private volatile @Nullable Socket connection;

        private Feed(LoadRouter copy, int port) {
            this.copy = copy;
            this.port = port;
            thread = Thread.ofPlatform().daemon().name(copy.name() + "-" + port).unstarted(this::run);
        }

        private void run() {
            while (!closed) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    connection = socket;
                    socket.setTcpNoDelay(true);
                    socket.setSoTimeout(1);
                    sessions.incrementAndGet();
                    catchUp();
                    send(socket);
                } catch (IOException e) {
                    complete = false;
                    Pause.millis(RECONNECT_MILLIS);
                }
            }
        }

        /** Makes the changes that the router has made while there was no connection, and begins a session. */
        private void catchUp() {
            ByteSink discarded = new ByteSink(2 * PIECE);
            while (!copy.isChanging() || copy.changes() < made()) {
                discarded.reset();
                copy.next(discarded);
            }
            copy.restart();
        }

        private void send(Socket socket) throws IOException {
            OutputStream out = socket.getOutputStream();
            ByteSink sink = new ByteSink(2 * PIECE);
            while (!closed) {
                sink.reset();
                while (sink.position() < PIECE && (!copy.isChanging() || copy.changes() < made())) {
                    copy.next(sink);
                }
                out.write(sink.array(), 0, sink.position());
                bytes.addAndGet(sink.position());
                complete = copy.isChanging() && copy.changes() == last;
                if (sink.position() == 0) {
                    Pause.millis(IDLE_MILLIS);
                }
                failIfClosed(socket);
            }
        }

        private static void failIfClosed(Socket socket) throws IOException {
            try {
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("closed by the station");
                }
            } catch (java.net.SocketTimeoutException e) {
                // the station sends nothing
            }
        }
    }

    /** Returns the number of changes that the router has made by now. */
    private long made() {
        return Math.min(last, (long) ((System.nanoTime() - begun) / 1e9 * changesPerSecond));
    }

    @Override
    LoadRouter plan() {
        return feeds.getFirst().copy;
    }

    @Override
    void fallSilent() {
        last = made();
    }

    @Override
    void talk(long changes) {
        throw new UnsupportedOperationException("its changes depend on the time only");
    }

    @Override
    boolean isThrough() {
        return isSilent();
    }

    @Override
    boolean isSilent() {
        return feeds.stream().allMatch(feed -> feed.complete);
    }

    @Override
    void reconnect() {
        try {
            for (Feed feed : feeds) {
                Socket open = feed.connection;
                if (open != null) {
                    open.close();
                }
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
            for (Feed feed : feeds) {
                feed.thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
