package dev.silkroute.component.nettyff;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelOutputShutdownException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the chunks of a {@link SendBuffer} to one channel. It is also the pipeline handler that records why the
 * channel failed, which camel-netty's own handler does not expose.
 *
 * <p>Threading: chunks are taken and written on the channel's event loop only, which keeps them in order.
 * {@link #cause()} may be called from any thread.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    /** Writes before other channels of the event loop get their turn. */
    private static final int MAX_WRITES_PER_TASK = 16;

    private final SendBuffer sendBuffer;
    private final Channel channel;
    private final EventLoop loop;
    private final Runnable drain = this::drain;
    private final DrainScheduler scheduler;
    private final List<Chunk> batch = new ArrayList<>(ChunkQueue.MAX_IN_FLIGHT);
    private final List<Chunk> written = new ArrayList<>(ChunkQueue.MAX_IN_FLIGHT);
    private boolean isFlushing;
    private volatile @Nullable Throwable writeFailure;

    /** A failure that the pipeline has reported, such as an alert of the peer's TLS or a reset. */
    private volatile @Nullable Throwable reportedFailure;

    Connection(SendBuffer sendBuffer, Channel channel) {
        this.sendBuffer = sendBuffer;
        this.channel = channel;
        this.loop = channel.eventLoop();
        scheduler = new DrainScheduler(loop, drain, this::lingerElapsed);
    }

    /** Identifies this connection to the send buffer. */
    DrainScheduler scheduler() {
        return scheduler;
    }

    private void lingerElapsed() {
        if (sendBuffer.lingerElapsed(scheduler)) {
            drain();
        }
    }

    private void drain() {
        sendBuffer.exchange(scheduler, written, batch, true);
        for (int writes = 0; !batch.isEmpty(); writes++) {
            write();
            if (writes == MAX_WRITES_PER_TASK) {
                loop.execute(drain);
                return;
            }
            sendBuffer.exchange(scheduler, written, batch, false);
        }
    }

    private void write() {
        isFlushing = true;
        try {
            for (int i = 0; i < batch.size(); i++) {
                Chunk chunk = batch.get(i);
                chunk.write = channel.write(chunk.buffer);
                chunk.write.addListener(future -> writeCompleted(chunk, (ChannelFuture) future));
            }
            batch.clear();
            channel.flush();
        } finally {
            isFlushing = false;
        }
    }

    /**
     * Settles a written chunk. Most writes complete within {@link #write}; those chunks are collected and settled by
     * the next {@link SendBuffer#exchange}, which takes the lock anyway.
     */
    private void writeCompleted(Chunk chunk, ChannelFuture future) {
        if (!future.isSuccess()) {
            // Nothing may follow a gap in the stream. The end of the connection settles the counters.
            writeFailure = first(writeFailure, future.cause());
            channel.close();
        } else if (isFlushing) {
            written.add(chunk);
        } else {
            sendBuffer.written(chunk);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
        reportedFailure = first(reportedFailure, thrown);
        ctx.close();
    }

    /**
     * Returns the first of two failures, which is the cause of the other one. That the channel is closed or its output
     * is shut down is the cause of nothing.
     */
    private static Throwable first(@Nullable Throwable before, Throwable next) {
        if (before != null && !(before instanceof ClosedChannelException)) {
            return before;
        }
        Throwable cause = next instanceof ChannelOutputShutdownException ? next.getCause() : null;
        return cause == null ? next : cause;
    }

    /**
     * Returns why the connection failed, or null if the peer closed it. A write fails because the connection has; what
     * the pipeline has reported is why.
     */
    @Nullable
    Throwable cause() {
        Throwable written = writeFailure;
        return written == null ? reportedFailure : first(reportedFailure, written);
    }
}
