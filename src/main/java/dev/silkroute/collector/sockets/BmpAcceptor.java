package dev.silkroute.collector.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultithreadEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop that accepts connections. It gives the keys for TCP MD5 signatures to each listener before it is
 * bound, so that no connection of an address that has a key is accepted without. Thread-safe.
 */
public final class BmpAcceptor extends MultithreadEventLoopGroup {
    private static final Logger LOGGER = LoggerFactory.getLogger(BmpAcceptor.class);

    private final Set<Channel> listeners = ConcurrentHashMap.newKeySet();
    private Md5Keys keys;

    /** @param keys must be empty if the transport is not {@link SocketTransport#EPOLL} */
    public BmpAcceptor(SocketTransport transport, ThreadFactory threads, Md5Keys keys) {
        super(1, threads, transport);
        this.keys = keys;
    }

    @Override
    protected EventLoop newChild(Executor executor, Object... arguments) {
        return ((SocketTransport) arguments[0]).newLoop(executor);
    }

    @Override
    public synchronized ChannelFuture register(Channel listener) {
        try {
            if (!keys.isEmpty()) {
                sign(listener, keys);
            }
        } catch (ChannelException e) {
            return listener.newFailedFuture(e);
        }
        listeners.add(listener);
        listener.pipeline().addLast(new BoundNotice());
        listener.closeFuture().addListener(closed -> listeners.remove(listener));
        return super.register(listener);
    }

    /** Replaces the keys. Connections that are open keep theirs. */
    public synchronized void replace(Md5Keys replacement) {
        keys = replacement;
        for (Channel listener : listeners) {
            listener.eventLoop().execute(() -> {
                try {
                    if (listener.isOpen()) {
                        sign(listener, replacement);
                    }
                } catch (ChannelException e) {
                    LOGGER.error("BMP listener {}: {}", listener.localAddress(), e.getMessage());
                }
            });
        }
    }

    synchronized Md5Keys keys() {
        return keys;
    }

    /** Waits until a listener is bound to a port, and returns it; not a {@link FurtherListener}. */
    synchronized Channel awaitListener(int port) throws InterruptedException {
        Channel bound = listener(port);
        while (bound == null) {
            wait();
            bound = listener(port);
        }
        return bound;
    }

    private @Nullable Channel listener(int port) {
        for (Channel listener : listeners) {
            if (listener.isActive()
                    && !FurtherListener.isOne(listener)
                    && listener.localAddress() instanceof InetSocketAddress address
                    && address.getPort() == port) {
                return listener;
            }
        }
        return null;
    }

    private synchronized void bound() {
        notifyAll();
    }

    /** Wakes up the threads in {@link #awaitListener} when the listener is bound. */
    private final class BoundNotice extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            bound();
            ctx.fireChannelActive();
        }
    }

    private static void sign(Channel listener, Md5Keys keys) {
        if (!(listener instanceof EpollServerSocketChannel)) {
            throw new ChannelException(
                    "TCP MD5 signatures require that the endpoint netty: has the option nativeTransport=true");
        }
        try {
            listener.config().setOption(EpollChannelOption.TCP_MD5SIG, keys.byAddress());
        } catch (ChannelException e) {
            throw new ChannelException(
                    "the kernel does not accept the TCP MD5 " + keys + ": " + SocketTransport.rootCause(e)
                            + " (the sysctl net.core.optmem_max limits their number)",
                    e);
        }
    }
}
