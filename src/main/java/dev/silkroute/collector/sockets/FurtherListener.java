package dev.silkroute.collector.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener beside that of the collector's route, at an address of its own. It passes the connections that it accepts
 * to the pipeline of the route's listener, so that they are processed, and closed, like the connections of that one. It
 * is open while the route's listener is.
 */
public final class FurtherListener implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(FurtherListener.class);
    private static final AttributeKey<FurtherListener> KEY = AttributeKey.valueOf(FurtherListener.class, "listener");
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final SocketTransport transport;
    private final BmpAcceptor acceptor;
    private final int routePort;
    private final InetSocketAddress address;
    private final boolean tls;
    private final LongAdder accepted = new LongAdder();
    private final Thread thread;
    private volatile boolean open;
    private @Nullable String failure;

    /**
     * @param routePort the port of the route's listener
     * @param tls whether its connections use TLS
     */
    public FurtherListener(
            SocketTransport transport, BmpAcceptor acceptor, int routePort, InetSocketAddress address, boolean tls) {
        this.transport = transport;
        this.acceptor = acceptor;
        this.routePort = routePort;
        this.address = address;
        this.tls = tls;
        thread = Thread.ofVirtual().name("bmp-listener-" + address).unstarted(this::run);
    }

    /** Returns the further listener that has accepted a connection, null if none has. */
    public static @Nullable FurtherListener of(Channel connection) {
        Channel parent = connection.parent();
        return parent == null ? null : parent.attr(KEY).get();
    }

    static boolean isOne(Channel listener) {
        return listener.attr(KEY).get() != null;
    }

    /** Returns whether its connections use TLS. */
    public boolean isTls() {
        return tls;
    }

    /** Returns whether routers can connect. */
    public boolean isOpen() {
        return open;
    }

    /** Returns how many connections have been accepted. */
    public long accepted() {
        return accepted.sum();
    }

    /** Begins to listen as soon as the route does. */
    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Channel route = acceptor.awaitListener(routePort);
                if (!listen(route)) {
                    Thread.sleep(RETRY);
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /**
     * Listens until the route's listener is closed.
     *
     * @return false if the address cannot be bound
     */
    private boolean listen(Channel route) throws InterruptedException {
        Channel listener = transport.newListener();
        try {
            listener.attr(KEY).set(this);
            listener.config().setOption(ChannelOption.SO_REUSEADDR, true);
            listener.pipeline().addLast(new ToRoute(route));
            ChannelFuture bound = acceptor.register(listener).await();
            if (bound.isSuccess()) {
                bound = listener.bind(address).await();
            }
            Throwable cause = bound.cause();
            if (cause != null) {
                failed(SocketTransport.rootCause(cause));
                return false;
            }
            failure = null;
            open = true;
            LOGGER.info("BMP listener at {} is open", address);
            route.closeFuture().await();
            return true;
        } finally {
            open = false;
            close(listener);
        }
    }

    private static void close(Channel listener) {
        if (listener.isRegistered()) {
            listener.close();
        } else {
            listener.unsafe().closeForcibly();
        }
    }

    private void failed(String reason) {
        if (!reason.equals(failure)) {
            failure = reason;
            LOGGER.error(
                    "BMP listener at {} cannot be opened: {}. It is tried again every {} s",
                    address,
                    reason,
                    RETRY.toSeconds());
        }
    }

    /** Passes accepted connections to the route's listener, on the event loop of both. */
    private final class ToRoute extends ChannelInboundHandlerAdapter {
        private final Channel route;

        ToRoute(Channel route) {
            this.route = route;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Channel connection = (Channel) message;
            if (route.isActive()) {
                accepted.increment();
                BmpConnector.belongTo(route, connection);
                route.pipeline().fireChannelRead(connection);
            } else {
                connection.unsafe().closeForcibly();
            }
        }

        /** Pauses after a failure, such as too many open files, as the listeners of Netty's bootstrap do. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            LOGGER.warn("BMP listener at {}: {}", address, SocketTransport.rootCause(cause));
            ctx.channel().config().setAutoRead(false);
            ctx.executor().schedule(() -> ctx.channel().config().setAutoRead(true), 1, TimeUnit.SECONDS);
        }
    }
}
