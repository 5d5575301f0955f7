package dev.silkroute.collector.transport;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way on for the last batch of a session that has to wait for its turn, while its connection closes. A pipeline forgets its handlers
 * when the channel is closed, and what is handed on in it then comes to nobody; so the next handler is kept, and called on its thread.
 */
final class LastBatch {
    private final ChannelHandlerContext ctx;
    private final String reason;
    private final @Nullable ChannelHandlerContext next;

    /** @param ctx of the frame decoder, whose channel is still open */
    LastBatch(ChannelHandlerContext ctx, String reason) {
        this.ctx = ctx;
        this.reason = reason;
        next = next(ctx);
    }

    private static @Nullable ChannelHandlerContext next(ChannelHandlerContext ctx) {
        Iterator<Map.Entry<String, ChannelHandler>> handlers = ctx.pipeline().iterator();
        boolean behind = false;
        while (handlers.hasNext()) {
            Map.Entry<String, ChannelHandler> entry = handlers.next();
            if (behind && entry.getValue() instanceof ChannelInboundHandler) {
                return ctx.pipeline().context(entry.getKey());
            }
            behind |= entry.getValue() == ctx.handler();
        }
        return null;
    }

    /** Why the session ended. */
    String reason() {
        return reason;
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
        } catch (Exception e) {
            to.fireExceptionCaught(e);
        }
    }
}
