package dev.silkroute.collector.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Opens TCP connections to routers. Each is given to a listener's pipeline before it is connected, as if the listener
 * had accepted it: so it has the handlers, options and event loops of accepted connections, and is closed with the
 * listener. Thread-safe.
 */
public final class BmpConnector {
    private static final AttributeKey<Channel> LISTENER = AttributeKey.valueOf(BmpConnector.class, "listener");

    private final SocketTransport transport;
    private final BmpAcceptor acceptor;
    private final Duration timeout;

    /**
     * @param acceptor has the listeners, and the keys for TCP MD5 signatures
     * @param timeout how long an attempt may take
     */
    public BmpConnector(SocketTransport transport, BmpAcceptor acceptor, Duration timeout) {
        this.transport = transport;
        this.acceptor = acceptor;
        this.timeout = timeout;
    }

    /** Makes a connection one of a listener's, which did not accept it. */
    static void belongTo(Channel listener, Channel connection) {
        connection.attr(LISTENER).set(listener);
    }

    /** Returns the listener that accepted a connection, or to which it was given; null if there is none. */
    public static @Nullable Channel listener(Channel connection) {
        Channel given = connection.attr(LISTENER).get();
        return given == null ? connection.parent() : given;
    }

    /** Returns whether the station has opened the connection, rather than accepted it. */
    public static boolean isOutgoing(Channel connection) {
        return connection.attr(LISTENER).get() != null && connection.parent() == null;
    }

    /**
     * Opens a connection and waits until it is established. The connection is closed with the listener, also while this
     * method waits.
     *
     * @throws IOException if the connection is not established, or not in time
     */
    Channel connect(Channel listener, InetSocketAddress router) throws IOException, InterruptedException {
        Channel connection = transport.newSocket();
        CompletableFuture<Channel> established = new CompletableFuture<>();
        try {
            belongTo(listener, connection);
            sign(connection, router.getAddress());
            connection.pipeline().addLast(new ConnectWhenRegistered(router, established));
            listener.eventLoop().execute(() -> give(connection, listener, established));
            return established.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(cause.getMessage(), cause);
        } catch (ChannelException | RejectedExecutionException e) { // the key is not accepted, the listener has stopped
            connection.unsafe().closeForcibly();
            throw new IOException(SocketTransport.rootCause(e), e);
        } finally {
            established.cancel(false); // has no effect unless this thread was interrupted
        }
    }

    private void sign(Channel connection, InetAddress router) {
        Map<InetAddress, byte[]> key = acceptor.keys().of(router);
        if (!key.isEmpty()) {
            connection.config().setOption(EpollChannelOption.TCP_MD5SIG, key);
        }
    }

    /** Runs on the listener's event loop. */
    private static void give(Channel connection, Channel listener, CompletableFuture<Channel> established) {
        if (!listener.isActive() || established.isDone()) {
            connection.unsafe().closeForcibly();
            established.completeExceptionally(new ClosedChannelException());
            return;
        }
        ChannelFutureListener close = closed -> connection.close();
        listener.closeFuture().addListener(close);
        established.whenComplete((connected, failure) -> listener.closeFuture().removeListener(close));
        listener.pipeline().fireChannelRead(connection);
    }

    /** Connects as soon as the channel has an event loop and the handlers of the listener. */
    private final class ConnectWhenRegistered extends ChannelInboundHandlerAdapter {
        private final InetSocketAddress router;
        private final CompletableFuture<Channel> established;

        ConnectWhenRegistered(InetSocketAddress router, CompletableFuture<Channel> established) {
            this.router = router;
            this.established = established;
        }

        @Override
        public void channelRegistered(ChannelHandlerContext ctx) {
            Channel connection = ctx.channel();
            connection.config().setConnectTimeoutMillis((int) timeout.toMillis());
            connection.connect(router).addListener(outcome -> {
                if (!outcome.isSuccess()) {
                    connection.close();
                    established.completeExceptionally(outcome.cause());
                } else if (!established.complete(connection)) {
                    connection.close(); // the waiting thread was interrupted
                }
            });
            ctx.fireChannelRegistered();
            ctx.pipeline().remove(this);
        }
    }
}
