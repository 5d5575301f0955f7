package dev.silkroute.component.nettyff;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection: takes chunks out of the outbox and writes them, on the channel's event loop only, so that they stay in
 * order. Also the handler that knows why the connection broke, for camel-netty's own one keeps that for itself.
 */
final class Line extends ChannelInboundHandlerAdapter implements Runnable {
    private static final int MOST_TURNS = 16;

    private final Outbox outbox;
    private final Channel channel;
    private final EventLoop loop;
    private final Runnable lingerOver = this::lingerOver;
    private final List<Chunk> batch = new ArrayList<>(ChunkQueue.MOST_UNDER_WAY);
    private final List<Chunk> written = new ArrayList<>(ChunkQueue.MOST_UNDER_WAY);
    private boolean flushing;
    private volatile @Nullable Throwable cause;

    /** Whether {@link #run} is due on the event loop. Guarded by the outbox's lock, as the next. */
    boolean draining;

    /** Whether the linger timer runs. */
    boolean armed;

    Line(Outbox outbox, Channel channel) {
        this.outbox = outbox;
        this.channel = channel;
        this.loop = channel.eventLoop();
    }

    Channel channel() {
        return channel;
    }

    /** Lets {@link #run} come, once however often asked. Under the outbox's lock. */
    void drainSoon() {
        if (!draining) {
            draining = true;
            loop.execute(this);
        }
    }

    /** Lets the bytes be looked at after so many nanoseconds. Under the outbox's lock. */
    void drainAfter(long nanos) {
        if (!armed) {
            armed = true;
            loop.schedule(lingerOver, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void lingerOver() {
        if (outbox.lingerOver(this)) {
            run();
        }
    }

    @Override
    public void run() {
        outbox.turn(this, written, batch, true);
        for (int turns = 0; !batch.isEmpty(); turns++) {
            write();
            if (turns == MOST_TURNS) {
                // The loop may have other channels.
                loop.execute(this);
                return;
            }
            outbox.turn(this, written, batch, false);
        }
    }

    private void write() {
        flushing = true;
        try {
            for (int i = 0; i < batch.size(); i++) {
                Chunk chunk = batch.get(i);
                chunk.line = this;
                chunk.write = channel.write(chunk.buffer);
                chunk.write.addListener(chunk);
            }
            batch.clear();
            channel.flush();
        } finally {
            flushing = false;
        }
    }

    /** On the event loop: whether the chunk was written by the very flush that goes on, which will settle it. */
    boolean wrote(Chunk chunk) {
        return flushing && written.add(chunk);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
        broken(thrown);
        ctx.close();
    }

    /** The first reason is the one. */
    void broken(Throwable reason) {
        if (cause == null) {
            cause = reason;
        }
    }

    /** Why the connection broke, null if the peer just closed it. */
    @Nullable
    Throwable cause() {
        return cause;
    }
}
