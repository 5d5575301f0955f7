package dev.silkroute.collector.gate;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.ssl.OptionalSslHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
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
 * must say it; from others nothing of the kind is believed. Then comes TLS, if the station has a certificate.
 *
 * <p>While either is awaited the connection counts as a session, and has as much time as a message. Touched by the channel's event loop only.
 */
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionGate.class);
    private static final AttributeKey<InetAddress> ROUTER = AttributeKey.valueOf(ConnectionGate.class, "router");
    private static final int MOST_TLV_BYTES = 4096;

    private final RouterAccess access;
    private final Duration patience;
    private final SessionRegistry sessions;
    private final Supplier<ChannelHandler> frames;
    private @Nullable Awaited awaited;
    private @Nullable Future<?> timeout;

    private enum Awaited {
        PROXY_HEADER(SessionEnd.NO_PROXY_HEADER, "PROXY header"),
        TLS(SessionEnd.NO_TLS, "TLS"),
        /** Of a balancer that speaks for itself: it only looks whether somebody is there, unless it says something. */
        FIRST_BYTES(null, "first bytes");

        private final @Nullable SessionEnd missing;
        private final String text;

        Awaited(@Nullable SessionEnd missing, String text) {
            this.missing = missing;
            this.text = text;
        }
    }

    /** @param frames makes what reads BMP */
    public ConnectionGate(
            RouterAccess access, Duration patience, SessionRegistry sessions, Supplier<ChannelHandler> frames) {
        this.access = access;
        this.patience = patience;
        this.sessions = sessions;
        this.frames = frames;
    }

    /** The address that a connection comes from: what its balancer has said, if there is one. */
    public static InetAddress routerAddress(Channel connection) {
        InetAddress told = connection.attr(ROUTER).get();
        return told != null ? told : ((InetSocketAddress) connection.remoteAddress()).getAddress();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!access.isBalancer(routerAddress(ctx.channel()))) {
            admit(ctx, false);
        } else if (await(ctx, Awaited.PROXY_HEADER)) {
            ctx.pipeline().addBefore(ctx.name(), null, new HAProxyMessageDecoder(MOST_TLV_BYTES));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof HAProxyMessage header)) {
            if (awaited == Awaited.FIRST_BYTES) {
                settle();
                handOver(ctx);
                ctx.fireChannelRead(message);
            } else {
                ReferenceCountUtil.release(message); // the connection is being closed
            }
            return;
        }
        boolean forItself = false;
        try {
            switch (header.proxiedProtocol().addressFamily()) {
                case AF_IPv4, AF_IPv6 -> ctx.channel().attr(ROUTER).set(InetAddress.ofLiteral(header.sourceAddress()));
                default -> forItself = true; // or it doesn't know: then its own address has to do
            }
        } finally {
            header.release();
        }
        settle();
        admit(ctx, forItself);
    }

    /** Whose connection it is, is known: a router's, or a balancer's own. */
    private void admit(ChannelHandlerContext ctx, boolean balancers) {
        InetAddress router = routerAddress(ctx.channel());
        if (!access.allows(router)) {
            if (!balancers) {
                sessions.countEnd(SessionEnd.NOT_ALLOWED);
                LOGGER.warn(
                        "BMP connection from {} refused: silkroute.bmp-allow doesn't name it", router.getHostAddress());
            }
            ctx.close();
            return;
        }
        RouterTls tls = access.tls();
        if (tls == null && balancers) {
            await(ctx, Awaited.FIRST_BYTES);
        } else if (tls == null) {
            handOver(ctx);
        } else if (await(ctx, Awaited.TLS)) {
            ctx.pipeline().addBefore(ctx.name(), null, new TlsOrPlain(tls));
        }
    }

    private void handOver(ChannelHandlerContext ctx) {
        ctx.pipeline().addAfter(ctx.name(), null, frames.get());
        ctx.fireChannelActive();
        ctx.pipeline().remove(this);
    }

    /** @return false if there is no room for another connection, and this one is closed */
    private boolean await(ChannelHandlerContext ctx, Awaited what) {
        if (!sessions.take()) {
            LOGGER.warn(
                    "BMP connection from {} refused: the limit of {} sessions is reached",
                    routerAddress(ctx.channel()).getHostAddress(),
                    sessions.max());
            ctx.close();
            return false;
        }
        awaited = what;
        timeout = ctx.executor().schedule(() -> refuse(ctx, "it is missing"), patience.toNanos(), NANOSECONDS);
        return true;
    }

    /** @return what was still awaited */
    private @Nullable Awaited settle() {
        Awaited last = awaited;
        awaited = null;
        if (last != null && timeout != null) {
            timeout.cancel(false);
            sessions.giveBack();
        }
        return last;
    }

    private void refuse(ChannelHandlerContext ctx, @Nullable String why) {
        Awaited missing = settle();
        if (missing != null && missing.missing != null) {
            sessions.countEnd(missing.missing);
            LOGGER.warn(
                    "BMP connection from {} refused, for its {}: {}",
                    routerAddress(ctx.channel()).getHostAddress(),
                    missing.text,
                    why);
        }
        ctx.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
            ctx.fireUserEventTriggered(event);
        } else if (!handshake.isSuccess()) {
            refuse(ctx, handshake.cause().getMessage());
        } else if (settle() != null) {
            // Who ends TLS has nothing more to say, whether or not TCP is ended too
            ctx.pipeline().get(SslHandler.class).sslCloseFuture().addListener(end -> ctx.close());
            handOver(ctx);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        refuse(ctx, String.valueOf(cause.getMessage()));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        settle(); // nobody behind knows of the connection yet
    }

    /** Looks at the first bytes. BMP's version is none of TLS's types of records. */
    private final class TlsOrPlain extends OptionalSslHandler {
        private final boolean plainToo;

        TlsOrPlain(RouterTls tls) {
            super(tls.context().get());
            plainToo = tls.plainToo();
        }

        @Override
        protected SslHandler newSslHandler(ChannelHandlerContext ctx, SslContext context) {
            SslHandler tls = super.newSslHandler(ctx, context);
            tls.setHandshakeTimeoutMillis(0); // the gate has its own
            return tls;
        }

        @Override
        protected @Nullable ChannelHandler newNonSslHandler(ChannelHandlerContext ctx) {
            ChannelHandlerContext gate = ctx.pipeline().context(ConnectionGate.this);
            if (!plainToo) {
                refuse(gate, "it speaks without");
            } else if (settle() != null) {
                handOver(gate);
            }
            return null;
        }
    }
}
