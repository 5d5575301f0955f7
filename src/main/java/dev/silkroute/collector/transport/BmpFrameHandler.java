package dev.silkroute.collector.transport;

import dev.silkroute.collector.sessions.AddressQuota;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.turns.TurnQueue;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of one connection into {@link FrameBatch}es of whole messages: connects Netty's events with a
 * {@link RouterConnection}. Rejects the connection at the limit of sessions.
 */
final class BmpFrameHandler extends ChannelInboundHandlerAdapter {
    private final SessionLimits limits;
    private final MemoryBudget budget;
    private final SessionRegistry sessions;
    private final TurnQueue turns;
    private final Function<Channel, OpenSession> open;
    private @Nullable RouterConnection connection;

    BmpFrameHandler(
            SessionLimits limits,
            MemoryBudget budget,
            SessionRegistry sessions,
            TurnQueue turns,
            Function<Channel, OpenSession> open) {
        this.limits = limits;
        this.budget = budget;
        this.sessions = sessions;
        this.turns = turns;
        this.open = open;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        OpenSession session = open.apply(ctx.channel());
        AddressQuota quota = sessions.reserve(session.address());
        if (quota == null) {
            ctx.close();
            return;
        }
        connection = new RouterConnection(ctx, limits, budget, sessions, quota, turns, session);
        connection.begin();
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (connection != null) {
                connection.received(bytes);
            }
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (connection != null) {
            connection.closed();
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (connection != null) {
            connection.failed(cause);
        }
        ctx.close();
    }

    /** Returns the size of the connection's buffer in bytes, used or not. */
    int capacity() {
        return connection == null ? 0 : connection.capacity();
    }
}
