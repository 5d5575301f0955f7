package dev.silkroute.perf.forget;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Netty without Camel. At most 1 MiB is pending, as with netty-ff. */
final class NettySender implements Sender {
    private static final int BUFFER = 64 * 1024;
    private static final int MOST_BYTES = 1024 * 1024;

    private final EventLoopGroup loop = new NioEventLoopGroup(1);
    private final Channel channel;
    private final boolean joined;
    private final Semaphore room;
    private final int places;
    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;

    private NettySender(int port, boolean joined) throws InterruptedException {
        this.joined = joined;
        places = joined ? MOST_BYTES / BUFFER : MOST_BYTES / 1024;
        room = new Semaphore(places);
        channel = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
    }

    /** Copies messages into buffers of 64 KiB and writes each when it is full. */
    static Sender buffers(int port) throws InterruptedException {
        return new NettySender(port, true);
    }

    /** Writes and flushes each message. */
    static Sender each(int port) throws InterruptedException {
        return new NettySender(port, false);
    }

    @Override
    public void send(byte[][] messages) throws InterruptedException {
        for (byte[] message : messages) {
            if (!joined) {
                write(Unpooled.wrappedBuffer(message));
                continue;
            }
            if (buffer.writableBytes() < message.length) {
                flush();
                buffer = channel.alloc().directBuffer(BUFFER, BUFFER);
            }
            buffer.writeBytes(message);
        }
    }

    @Override
    public void flush() throws InterruptedException {
        if (buffer.isReadable()) {
            write(buffer);
        }
        buffer = Unpooled.EMPTY_BUFFER;
    }

    private void write(ByteBuf bytes) throws InterruptedException {
        room.acquire();
        channel.writeAndFlush(bytes).addListener((ChannelFuture done) -> {
            if (done.isSuccess()) {
                room.release();
            }
        });
    }

    @Override
    public void close() throws InterruptedException {
        flush();
        room.acquire(places);
        channel.close().sync();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
