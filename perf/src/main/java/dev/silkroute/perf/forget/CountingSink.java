package dev.silkroute.perf.forget;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Counts what arrives; on request also keeps it, stops reading, or hangs up. */
final class CountingSink implements AutoCloseable {
    private static final int READ = 256 * 1024;

    private final EventLoopGroup loop = new NioEventLoopGroup(1);
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel server;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private volatile boolean keep;
    private volatile long hangUpAfter = Long.MAX_VALUE;
    private volatile long bytes;
    private volatile int accepted;

    CountingSink() throws InterruptedException {
        this(true);
    }

    /** @param reading whether connections are read from the start */
    CountingSink(boolean reading) throws InterruptedException {
        server = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ))
                .childOption(ChannelOption.AUTO_READ, reading)
                .childHandler(new Counter())
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }

    int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** All bytes that have arrived so far. */
    long bytes() {
        return bytes;
    }

    int connections() {
        return accepted;
    }

    /** From now on what arrives is kept too. */
    void keep() {
        kept.reset();
        keep = true;
    }

    /** Returns the bytes received since {@link #keep}. Call this after the last of them. */
    byte[] kept() {
        keep = false;
        return kept.toByteArray();
    }

    void hangUpAfter(long count) {
        hangUpAfter = count;
    }

    void read() {
        connections.forEach(each -> each.config().setAutoRead(true));
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        connections.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** On the one event loop. */
    @Sharable
    private final class Counter extends ChannelInboundHandlerAdapter {
        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void channelActive(ChannelHandlerContext ctx) {
            connections.add(ctx.channel());
            accepted++;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
            ByteBuf buffer = (ByteBuf) message;
            int count = buffer.readableBytes();
            if (keep) {
                buffer.readBytes(kept, count);
            }
            buffer.release();
            bytes += count;
            if (bytes >= hangUpAfter) {
                ctx.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
