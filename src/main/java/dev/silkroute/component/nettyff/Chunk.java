package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are written by one write, or fail together. Guarded by the lock of the {@link SendBuffer}, except
 * {@link #write}.
 */
final class Chunk {
    final ByteBuf buffer;

    /** The number of messages whose last byte is in this chunk. */
    int messages;

    /** The size of the buffer when it was handed to the channel, because the write moves its indices. */
    int bytes;

    /** The result of the write, or null before it started. */
    volatile @Nullable ChannelFuture write;

    Chunk(ByteBuf buffer) {
        this.buffer = buffer;
    }

    boolean isWritten() {
        ChannelFuture future = write;
        return future != null && future.isSuccess();
    }
}
