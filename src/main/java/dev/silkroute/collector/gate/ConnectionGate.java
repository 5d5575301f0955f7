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
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits connections before their first BMP byte, in up to three steps: the PROXY protocol header (versions 1 and 2),
 * which contains the router's own address and is required from load balancers' addresses and rejected from all others;
 * the list of addresses that may connect; and TLS, if the station has a certificate. An admitted connection continues
 * with the frame handler in the gate's place.
 *
 * <p>While a step is pending, the connection counts against the limit of sessions and has as much time as an
 * incomplete message or, for TLS, as configured. Used by the channel's event loop only.
 */
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionGate.class);
    private static final AttributeKey<InetAddress> ROUTER = AttributeKey.valueOf(ConnectionGate.class, "router");
    private static final AttributeKey<String> CERTIFIED = AttributeKey.valueOf(ConnectionGate.class, "certified");
    private static final int MAX_TLV_BYTES = 4096;

    private final Function<Channel, RouterAccess> accesses;
    private final Duration timeout;
    private final SessionRegistry sessions;
    private final Supplier<ChannelHandler> frames;
    private RouterAccess access = RouterAccess.OPEN;
    private @Nullable Step pending;
    private @Nullable Future<?> expiry;
    /** The address for which the pending step has reserved a session. */
    private @Nullable InetAddress reserved;

    private enum Step {
        PROXY_HEADER(SessionEnd.NO_PROXY_HEADER, "PROXY header"),
        TLS(SessionEnd.NO_TLS, "TLS"),
        /** On a balancer's own connection: usually a health check, which sends nothing. */
        FIRST_BYTES(null, "first bytes");

        private final @Nullable SessionEnd endIfMissing;
        private final String text;

        Step(@Nullable SessionEnd endIfMissing, String text) {
            this.endIfMissing = endIfMissing;
            this.text = text;
        }
    }

    /**
     * @param accesses returns the rules that apply to a connection
     * @param timeout for each pending step but TLS
     * @param frames creates the frame handler
     */
    public ConnectionGate(
            Function<Channel, RouterAccess> accesses,
            Duration timeout,
            SessionRegistry sessions,
            Supplier<ChannelHandler> frames) {
        this.accesses = accesses;
        this.timeout = timeout;
        this.sessions = sessions;
        this.frames = frames;
    }

    /**
     * Returns the address of the router: from the PROXY protocol header if there was one, else that of the connection.
     */
    public static InetAddress routerAddress(Channel connection) {
        InetAddress proxied = connection.attr(ROUTER).get();
        return proxied != null ? proxied : ((InetSocketAddress) connection.remoteAddress()).getAddress();
    }

    /** Returns the name in the certificate that the router has presented, null if it has none. */
    public static @Nullable String certifiedName(Channel connection) {
        return connection.attr(CERTIFIED).get();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        access = accesses.apply(ctx.channel());
        if (!access.isBalancer(routerAddress(ctx.channel()))) {
            admit(ctx, false);
        } else if (await(ctx, Step.PROXY_HEADER, timeout)) {
            ctx.pipeline().addBefore(ctx.name(), null, new HAProxyMessageDecoder(MAX_TLV_BYTES));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof HAProxyMessage header)) {
            if (pending == Step.FIRST_BYTES) {
                complete();
                handOver(ctx);
                ctx.fireChannelRead(message);
            } else {
                ReferenceCountUtil.release(message); // the connection is being closed
            }
            return;
        }
        boolean isBalancersOwn = false;
        try {
            switch (header.proxiedProtocol().addressFamily()) {
                case AF_IPv4, AF_IPv6 -> ctx.channel().attr(ROUTER).set(InetAddress.ofLiteral(header.sourceAddress()));
                default -> isBalancersOwn = true; // LOCAL or UNKNOWN: the connection's own address applies
            }
        } finally {
            header.release();
        }
        complete();
        admit(ctx, isBalancersOwn);
    }

    /** Checks the address, which is known now, and continues with TLS or the frame handler. */
    private void admit(ChannelHandlerContext ctx, boolean isBalancersOwn) {
        InetAddress router = routerAddress(ctx.channel());
        if (!access.allows(router)) {
            if (!isBalancersOwn) {
                sessions.countEnd(SessionEnd.NOT_ALLOWED);
                LOGGER.warn(
                        "BMP connection from {} rejected: the address is not in silkroute.bmp-allow",
                        router.getHostAddress());
            }
            ctx.close();
            return;
        }
        RouterTls tls = access.tls();
        if (tls == null && isBalancersOwn) {
            await(ctx, Step.FIRST_BYTES, timeout);
        } else if (tls == null) {
            handOver(ctx);
        } else if (await(ctx, Step.TLS, tls.handshakeTimeout())) {
            ctx.pipeline().addBefore(ctx.name(), null, new TlsOrPlain(tls));
        }
    }

    private void handOver(ChannelHandlerContext ctx) {
        ctx.pipeline().addAfter(ctx.name(), null, frames.get());
        ctx.fireChannelActive();
        ctx.pipeline().remove(this);
    }

    /** Waits for a step. @return false if the limit of sessions is reached, and the connection is closed */
    private boolean await(ChannelHandlerContext ctx, Step step, Duration limit) {
        InetAddress address = routerAddress(ctx.channel());
        if (sessions.reserve(address) == null) {
            ctx.close();
            return false;
        }
        reserved = address;
        pending = step;
        expiry = ctx.executor().schedule(() -> reject(ctx, "missing"), limit.toNanos(), NANOSECONDS);
        return true;
    }

    /** Completes the pending step. @return the step, null if none was pending */
    private @Nullable Step complete() {
        Step completed = pending;
        pending = null;
        InetAddress address = reserved;
        if (completed != null && expiry != null && address != null) {
            expiry.cancel(false);
            sessions.release(address);
        }
        return completed;
    }

    private void reject(ChannelHandlerContext ctx, Throwable cause) {
        CertificateException invalid = RouterTrust.rejection(cause);
        if (invalid == null) {
            reject(ctx, reason(cause));
        } else {
            reject(ctx, SessionEnd.INVALID_CERTIFICATE, "" + invalid.getMessage());
        }
    }

    /** Returns why a step failed. Netty's exception for a connection that the peer has closed has no message. */
    private static String reason(Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return "the peer closed the connection during the handshake";
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void reject(ChannelHandlerContext ctx, String why) {
        reject(ctx, pending == null ? null : pending.endIfMissing, why);
    }

    private void reject(ChannelHandlerContext ctx, @Nullable SessionEnd end, String why) {
        Step missing = complete();
        if (missing != null && end != null) {
            sessions.countEnd(end);
            LOGGER.warn(
                    "BMP connection from {} rejected, {}: {}",
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
            reject(ctx, handshake.cause());
        } else if (pending == Step.TLS) {
            SslHandler tls = ctx.pipeline().get(SslHandler.class);
            try {
                identify(ctx.channel(), tls.engine().getSession());
            } catch (CertificateException e) {
                reject(ctx, e);
                return;
            }
            complete();
            // A router that ends TLS sends nothing more, whether or not it also closes TCP.
            tls.sslCloseFuture().addListener(end -> ctx.close());
            handOver(ctx);
        }
    }

    /**
     * Takes the router's name from its certificate, if it has presented one.
     *
     * @throws CertificateException if the certificate has no name, or has expired since a session that is resumed
     */
    private void identify(Channel connection, SSLSession session) throws CertificateException {
        X509Certificate[] chain = RouterTrust.chain(session);
        RouterTls settings = access.tls();
        if (chain.length == 0 || settings == null) {
            return;
        }
        RouterTrust.checkPeriod(chain[0]);
        if (settings.name() != CertificateName.NONE) {
            String name = settings.name().of(chain[0]);
            if (name == null) {
                throw new CertificateException(RouterTrust.text(chain[0]) + " has no "
                        + settings.name().text() + " that could be the router's name (silkroute.bmp-tls.router-name)");
            }
            connection.attr(CERTIFIED).set(name);
        }
        settings.connections().add(connection, chain);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        reject(ctx, cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        complete(); // no handler behind has seen the connection yet
    }

    /** Distinguishes TLS from plain BMP by the first byte: a BMP version is not a TLS record type. */
    private final class TlsOrPlain extends OptionalSslHandler {
        private final RouterTls settings;

        TlsOrPlain(RouterTls settings) {
            super(settings.context().get());
            this.settings = settings;
        }

        @Override
        protected SslHandler newSslHandler(ChannelHandlerContext ctx, SslContext context) {
            SslHandler tls = context.newHandler(ctx.alloc(), settings.handshakes());
            tls.setHandshakeTimeoutMillis(0); // the gate has its own time-out
            return tls;
        }

        @Override
        protected @Nullable ChannelHandler newNonSslHandler(ChannelHandlerContext ctx) {
            ChannelHandlerContext gate = ctx.pipeline().context(ConnectionGate.this);
            if (!settings.plainToo()) {
                reject(gate, "not used by the router");
            } else if (complete() != null) {
                handOver(gate);
            }
            return null;
        }
    }
}
