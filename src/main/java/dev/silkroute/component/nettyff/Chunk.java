package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * Messages that get out or fail together: one buffer, one write, and this as the write's listener. Guarded by the outbox's
 * lock, but for {@link #write}.
 */
final class Chunk implements ChannelFutureListener {
    final ByteBuf buffer;
    private final Outbox outbox;

    /** Whose event loop this is written on, once it is. */
    @Nullable
    Line line;

    /** Messages whose last byte is in here. */
    int messages;

    /** The buffer's bytes once it is under way: the write then moves its indices. */
    int bytes;

    /** How the write goes, once there is one. */
    volatile @Nullable ChannelFuture write;

    Chunk(Outbox outbox, ByteBuf buffer) {
        this.outbox = outbox;
        this.buffer = buffer;
    }

    boolean written() {
        ChannelFuture future = write;
        return future != null && future.isSuccess();
    }

    @Override
    public void operationComplete(ChannelFuture future) {
        if (future.isSuccess()) {
            if (line == null || !line.wrote(this)) {
                outbox.written(this);
            }
        } else {
            // Nothing may follow a gap in a stream. The end of the connection settles the account.
            outbox.broken(future.cause());
            future.channel().close();
        }
    }
}
