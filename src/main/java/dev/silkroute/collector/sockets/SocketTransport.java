package dev.silkroute.collector.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The implementation of sockets: that of the JDK, or Netty's own for Linux, which has TCP MD5 signatures. */
public enum SocketTransport {
    NIO {
        @Override
        public EventLoop newLoop(Executor threads) {
            return new NioEventLoopGroup(1, threads).next();
        }

        @Override
        Channel newSocket() {
            return new NioSocketChannel();
        }

        @Override
        Channel newListener() {
            return new NioServerSocketChannel();
        }
    },
    EPOLL {
        @Override
        public EventLoop newLoop(Executor threads) {
            return new EpollEventLoopGroup(1, threads).next();
        }

        @Override
        Channel newSocket() {
            return new EpollSocketChannel();
        }

        @Override
        Channel newListener() {
            return new EpollServerSocketChannel();
        }
    };

    /** Creates an event loop for the sockets of this transport. */
    public abstract EventLoop newLoop(Executor threads);

    /** Creates a TCP socket that is not connected yet. */
    abstract Channel newSocket();

    /** Creates a listening socket that is not bound yet. */
    abstract Channel newListener();

    /** Returns why TCP MD5 signatures cannot be used on this system, null if they can. */
    public static @Nullable String md5Obstacle() {
        if (!Epoll.isAvailable()) {
            return "Netty's epoll transport is not available: " + rootCause(Epoll.unavailabilityCause());
        }
        EpollServerSocketChannel probe = new EpollServerSocketChannel();
        try {
            probe.config()
                    .setOption(EpollChannelOption.TCP_MD5SIG, Map.of(InetAddress.getLoopbackAddress(), new byte[] {1}));
            return null;
        } catch (ChannelException e) {
            return "the kernel does not support them (CONFIG_TCP_MD5SIG): " + rootCause(e);
        } finally {
            probe.unsafe().closeForcibly();
        }
    }

    static String rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
