package dev.silkroute.component.nettyff;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;

/** Stands for a socket whose peer reads on command: keeps writes and completes them later. */
final class ControlledSocket extends ChannelOutboundHandlerAdapter {
    private record Write(ByteBuf bytes, ChannelPromise promise) {}

    private final ArrayDeque<Write> writes = new ArrayDeque<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private boolean open;
    private int flushes;

    /** Completes every write as soon as it is flushed. */
    ControlledSocket open() {
        open = true;
        return this;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        writes.add(new Write((ByteBuf) message, promise));
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        flushes++;
        while (open && takeOne()) {}
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) throws Exception {
        super.close(ctx, promise);
        for (Write write : writes) {
            ReferenceCountUtil.release(write.bytes);
            write.promise.tryFailure(new IllegalStateException("closed"));
        }
        writes.clear();
    }

    /** Completes the oldest write. Returns false if there is none. */
    boolean takeOne() {
        Write write = writes.poll();
        if (write == null) {
            return false;
        }
        byte[] bytes = new byte[write.bytes.readableBytes()];
        write.bytes.readBytes(bytes);
        write.bytes.release();
        taken.writeBytes(bytes);
        write.promise.setSuccess();
        return true;
    }

    /** Fails the oldest write. */
    void failOne() {
        Write write = writes.remove();
        write.bytes.release();
        write.promise.setFailure(new IllegalStateException("broken pipe"));
    }

    int waiting() {
        return writes.size();
    }

    int flushes() {
        return flushes;
    }

    byte[] taken() {
        return taken.toByteArray();
    }
}
