package dev.silkroute.collector.transport;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to the next handler of a pipeline after its channel has been closed, for a session that ends before its
 * turn has come. Netty removes the handlers of a closed channel, and {@code fireChannelRead} then reaches nobody; so
 * this class remembers the next handler and calls it on its executor.
 */
final class DetachedSender {
    private final ChannelHandlerContext ctx;
    private final @Nullable ChannelHandlerContext next;

    /** @param ctx the frame handler's context, whose channel must still be open */
    DetachedSender(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        next = next(ctx);
    }

    private static @Nullable ChannelHandlerContext next(ChannelHandlerContext ctx) {
        Iterator<Map.Entry<String, ChannelHandler>> handlers = ctx.pipeline().iterator();
        boolean isBehind = false;
        while (handlers.hasNext()) {
            Map.Entry<String, ChannelHandler> entry = handlers.next();
            if (isBehind && entry.getValue() instanceof ChannelInboundHandler) {
                return ctx.pipeline().context(entry.getKey());
            }
            isBehind |= entry.getValue() == ctx.handler();
        }
        return null;
    }

    void send(FrameBatch batch) {
        ChannelHandlerContext to = next;
        if (to == null) {
            ctx.fireChannelRead(batch);
        } else {
            to.executor().execute(() -> read(to, batch));
        }
    }

    private static void read(ChannelHandlerContext to, FrameBatch batch) {
        try {
            ((ChannelInboundHandler) to.handler()).channelRead(to, batch);
        } catch (Exception e) { // declared by channelRead
            to.fireExceptionCaught(e);
        }
    }
}
