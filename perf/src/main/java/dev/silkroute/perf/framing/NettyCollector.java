package dev.silkroute.perf.framing;

import dev.silkroute.app.embedded.Ports;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Plain Netty and Kafka's producer: records leave on the event loop, reading pauses above the session's bound. */
final class NettyCollector implements CollectorVariant {
    private final Producer<String, byte[]> producer;
    private final EventLoopGroup boss = new NioEventLoopGroup(1);
    private final EventLoopGroup workers = new NioEventLoopGroup();
    private final AtomicInteger open = new AtomicInteger();
    private final Channel server;

    NettyCollector(Properties producerOptions, String topic, Settings settings) throws InterruptedException {
        producer = new KafkaProducer<>(producerOptions);
        server = new ServerBootstrap()
                .group(boss, workers)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new Reader(producer, topic, settings, open));
                    }
                })
                .bind(Ports.LOOPBACK, 0)
                .sync()
                .channel();
    }

    @Override
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    @Override
    public int openSessions() {
        return open.get();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        boss.shutdownGracefully();
        workers.shutdownGracefully();
        producer.close();
    }

    private static final class Reader extends ChannelInboundHandlerAdapter {
        private final Producer<String, byte[]> producer;
        private final String topic;
        private final Settings settings;
        private final AtomicInteger open;
        private @Nullable PlainSession session;

        Reader(Producer<String, byte[]> producer, String topic, Settings settings, AtomicInteger open) {
            this.producer = producer;
            this.topic = topic;
            this.settings = settings;
            this.open = open;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            InetSocketAddress from = (InetSocketAddress) context.channel().remoteAddress();
            PlainSession opened = new PlainSession(producer, topic, settings, open, from.getAddress());
            opened.onRoom(() -> resume(context, opened));
            session = opened;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            PlainSession current = session();
            ByteBuf bytes = (ByteBuf) message;
            try {
                int length = bytes.readableBytes();
                bytes.readBytes(current.buffer(length), current.filled(), length);
                current.read(length);
            } finally {
                bytes.release();
            }
            if (current.isFull()) {
                context.channel().config().setAutoRead(false);
                if (current.hasRoom()) {
                    resume(context, current);
                }
            }
        }

        private static void resume(ChannelHandlerContext context, PlainSession session) {
            session.resumed();
            context.channel().config().setAutoRead(true);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            session().end();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            context.close();
        }

        private PlainSession session() {
            PlainSession current = session;
            if (current == null) {
                throw new IllegalStateException("no connection yet");
            }
            return current;
        }
    }
}
