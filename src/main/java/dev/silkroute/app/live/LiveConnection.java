package dev.silkroute.app.live;

import dev.silkroute.live.Delivery;
import dev.silkroute.live.LiveStream;
import dev.silkroute.live.Subscriber;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.streams.WriteStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A client of the live stream. It polls its subscriber on the connection's event loop as long as the client reads: a
 * client that does not has its messages wait in the subscriber's queue, and uses no thread.
 */
abstract class LiveConnection {
    private static final int SEND_BUFFER_BYTES = 128 << 10;

    /**
     * The time after which other connections of the event loop have their turn. Requests of the API share the event
     * loops, and one that arrives when hundreds of subscribers are behind waits for a turn of each.
     */
    private static final long TURN_NANOS = 200_000;

    /** Messages after which the connection is flushed within a turn. */
    private static final int MAX_MESSAGES_PER_FLUSH = 256;

    private final LiveStream stream;
    private final Context context;
    private final WriteStream<?> out;

    /** Used on the event loop only, as the next three. */
    private @Nullable Subscriber subscriber;

    /** True within {@link #drain}: a write that fills the connection's buffer and empties it calls its handler. */
    private boolean draining;

    /** The time when the client stopped reading, of {@link System#nanoTime}; 0 while it reads. */
    private long stalledSince;

    private volatile boolean closed;

    /** @param out to the client, whose event loop is {@code context} */
    LiveConnection(LiveStream stream, Context context, WriteStream<?> out) {
        this.stream = stream;
        this.context = context;
        this.out = out;
    }

    /**
     * Prepares the connection of a request for the live stream. The messages of a turn are written by one system call,
     * rather than one each. What the kernel keeps for a client that does not read is bounded, up to 4 MiB by default;
     * this disables the kernel's own adjustment, so only connections of the live stream are limited.
     */
    static void prepare(HttpServerRequest request) {
        if (request.connection() instanceof ConnectionBase connection) {
            Channel channel = connection.channel();
            channel.config().setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
            if (channel.pipeline().get(FlushConsolidationHandler.class) == null) {
                channel.pipeline().addFirst(new FlushConsolidationHandler(MAX_MESSAGES_PER_FLUSH, true));
            }
        }
    }

    LiveStream stream() {
        return stream;
    }

    Context context() {
        return context;
    }

    /** Wakes the connection up; on any thread. */
    void wakeUp() {
        context.runOnContext(_ -> drain());
    }

    /** Starts to deliver to a subscriber that was made with {@link #wakeUp}. */
    void start(Subscriber made) {
        subscriber = made;
        if (closed || !isOpen()) {
            leave(made);
            return;
        }
        out.drainHandler(_ -> drain());
        drain();
    }

    private void drain() {
        Subscriber polled = subscriber;
        if (polled == null || closed || draining || !isOpen()) {
            return;
        }
        draining = true;
        boolean mayHaveMore = false;
        try {
            stalledSince = 0;
            long start = System.nanoTime();
            do {
                while (!out.writeQueueFull() && System.nanoTime() - start < TURN_NANOS) {
                    Delivery delivery = polled.poll();
                    if (delivery == null) {
                        flush();
                        return;
                    }
                    write(delivery);
                }
                flush();
            } while (!out.writeQueueFull() && System.nanoTime() - start < TURN_NANOS);
            mayHaveMore = !out.writeQueueFull();
            if (!mayHaveMore) {
                stalledSince = System.nanoTime();
                onStalled();
            }
        } finally {
            draining = false;
        }
        if (mayHaveMore) {
            wakeUp();
        }
    }

    /** Returns whether the connection accepts writes. It may have been closed before {@link #onClosed} is called. */
    abstract boolean isOpen();

    /** Writes a delivery, or buffers it until {@link #flush}. */
    abstract void write(Delivery delivery);

    /** Writes what is buffered. */
    void flush() {}

    /** Called when the client has stopped reading. */
    void onStalled() {}

    /** Sends something to a client that is idle, so that a lost connection is noticed: it fails then. */
    abstract Future<Void> heartbeat();

    /** Closes the connection. */
    abstract void end();

    /**
     * Sends a heartbeat, or ends the connection of a client that has not read for longer than the limit. One that is
     * lost frees its subscription.
     */
    void check(long stallNanos) {
        context.runOnContext(_ -> {
            if (closed) {
                return;
            }
            if (!isOpen()) {
                onClosed();
            } else if (isLonger(stalledSince, stallNanos) || isLonger(unansweredSince(), stallNanos)) {
                end();
            } else if (subscriber != null && !out.writeQueueFull()) {
                heartbeat().onFailure(_ -> {
                    end();
                    onClosed();
                });
            }
        });
    }

    private static boolean isLonger(long since, long nanos) {
        return since != 0 && System.nanoTime() - since > nanos;
    }

    /** Returns when the client should have answered a heartbeat first, of {@link System#nanoTime}; 0 if it need not. */
    long unansweredSince() {
        return 0;
    }

    boolean isClosed() {
        return closed;
    }

    /** Called on the event loop when the connection is closed. */
    void onClosed() {
        closed = true;
        Subscriber left = subscriber;
        if (left != null) {
            leave(left);
        }
    }

    private void leave(Subscriber left) {
        blocking(() -> {
            stream.leave(left);
            return true;
        });
    }

    /** Runs a call of the stream, which may wait for the batch that is being published, beside the event loop. */
    <T> Future<T> blocking(Callable<T> call) {
        return context.executeBlocking(call);
    }
}
