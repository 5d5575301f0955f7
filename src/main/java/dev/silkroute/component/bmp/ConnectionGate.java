package dev.silkroute.component.bmp;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a connection in if its router may speak, and the frame decoder take its place. Reads first what a balancer says at the beginning of a
 * connection that it hands on (PROXY protocol, versions 1 and 2): the router's own address. Balancers are known by their addresses, and
 * must say it; from others nothing of the kind is believed.
 *
 * <p>While a header is awaited the connection counts as a session, and has as much time as a message. Touched by the channel's event loop only.
 */
final class ConnectionGate extends ChannelInboundHandlerAdapter {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionGate.class);
    private static final AttributeKey<InetAddress> ROUTER = AttributeKey.valueOf(ConnectionGate.class, "router");
    private static final int MOST_TLV_BYTES = 4096;

    private final RouterAccess access;
    private final Duration patience;
    private final Sessions sessions;
    private final Supplier<ChannelHandler> frames;
    private @Nullable Future<?> timeout;

    /** @param frames makes what reads BMP */
    ConnectionGate(RouterAccess access, Duration patience, Sessions sessions, Supplier<ChannelHandler> frames) {
        this.access = access;
        this.patience = patience;
        this.sessions = sessions;
        this.frames = frames;
    }

    /** The address that a connection comes from: what its balancer has said, if there is one. */
    static InetAddress routerAddress(Channel connection) {
        InetAddress told = connection.attr(ROUTER).get();
        return told != null ? told : ((InetSocketAddress) connection.remoteAddress()).getAddress();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        InetAddress from = routerAddress(ctx.channel());
        if (!access.isBalancer(from)) {
            handOver(ctx);
        } else if (sessions.take()) {
            timeout = ctx.executor().schedule(() -> refuse(ctx, "it is missing"), patience.toNanos(), NANOSECONDS);
            ctx.pipeline().addBefore(ctx.name(), null, new HAProxyMessageDecoder(MOST_TLV_BYTES));
        } else {
            LOGGER.warn(
                    "BMP connection from balancer {} refused: the limit of {} sessions is reached",
                    from.getHostAddress(),
                    sessions.max());
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof HAProxyMessage header)) {
            ReferenceCountUtil.release(message); // the connection is being closed
            return;
        }
        try {
            switch (header.proxiedProtocol().addressFamily()) {
                case AF_IPv4, AF_IPv6 -> ctx.channel().attr(ROUTER).set(InetAddress.ofLiteral(header.sourceAddress()));
                default -> {} // the balancer speaks for itself, or doesn't know: then its own address has to do
            }
        } finally {
            header.release();
        }
        settle();
        handOver(ctx);
    }

    private void handOver(ChannelHandlerContext ctx) {
        InetAddress router = routerAddress(ctx.channel());
        if (!access.allows(router)) {
            // A balancer that speaks for itself looks whether somebody is there
            if (!access.isBalancer(router)) {
                sessions.countEnd(SessionEnd.NOT_ALLOWED);
                LOGGER.warn(
                        "BMP connection from {} refused: silkroute.bmp-allow doesn't name it", router.getHostAddress());
            }
            ctx.close();
            return;
        }
        ctx.pipeline().addAfter(ctx.name(), null, frames.get());
        ctx.fireChannelActive();
        ctx.pipeline().remove(this);
    }

    /** @return whether the header was still awaited */
    private boolean settle() {
        Future<?> awaited = timeout;
        if (awaited == null) {
            return false;
        }
        timeout = null;
        awaited.cancel(false);
        sessions.giveBack();
        return true;
    }

    private void refuse(ChannelHandlerContext ctx, String why) {
        if (settle()) {
            sessions.countEnd(SessionEnd.NO_PROXY_HEADER);
            LOGGER.warn(
                    "BMP connection from balancer {} refused, for its PROXY header: {}",
                    routerAddress(ctx.channel()).getHostAddress(),
                    why);
        }
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        refuse(ctx, String.valueOf(cause.getMessage()));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        settle(); // nobody behind knows of the connection yet
    }
}
