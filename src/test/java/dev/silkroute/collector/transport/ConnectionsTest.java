package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The close of a listener, over Netty's transport within a JVM. */
class ConnectionsTest {
    private static final SessionLimits LIMITS = new SessionLimits(10_000, 20_000, 5_000, Duration.ofSeconds(60));
    private static final SessionConfig CONFIG = new SessionConfig("col", 10);

    private final EventLoopGroup threads = new DefaultEventLoopGroup(2);
    private final BlockingQueue<FrameBatch> batches = new LinkedBlockingQueue<>();
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        threads.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private Channel listen(LocalAddress at) throws InterruptedException {
        MemoryBudget budget = new MemoryBudget(1 << 20, 1 << 18);
        SessionRegistry sessions = new SessionRegistry(3);
        AtomicLong ids = new AtomicLong();
        return new ServerBootstrap()
                .group(threads)
                .channel(LocalServerChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new BmpFrameHandler(
                                        LIMITS,
                                        budget,
                                        sessions,
                                        new TurnQueue(),
                                        from -> new OpenSession(
                                                CONFIG,
                                                new RouterIdentifier(
                                                        InetAddress.getLoopbackAddress(), RouterValues.NONE),
                                                ids.incrementAndGet(),
                                                InetAddress.getLoopbackAddress())))
                                .addLast(new ChannelInboundHandlerAdapter() {
                                    @Override
                                    public void channelActive(ChannelHandlerContext ctx) {
                                        accepted.add(ctx.channel());
                                    }

                                    @Override
                                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                                        batches.add((FrameBatch) message);
                                    }
                                });
                    }
                })
                .bind(at)
                .sync()
                .channel();
    }

    @Test
    void givenOpenConnectionsWhenTheListenerClosesThenTheCloseCompletesWithTheirLastBatches() throws Exception {
        LocalAddress at = new LocalAddress("listener");
        Channel listener = listen(at);
        for (int i = 0; i < 2; i++) {
            new Bootstrap()
                    .group(threads)
                    .channel(LocalChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(at)
                    .sync();
            assertThat(accepted.poll(10, TimeUnit.SECONDS)).isNotNull();
        }

        ChannelFuture close = listener.close();

        for (int i = 0; i < 2; i++) {
            FrameBatch last = batches.poll(10, TimeUnit.SECONDS);
            assertThat(last).isNotNull();
            assertThat(last.end()).isEqualTo("connection closed");
            assertThat(close.isDone()).isFalse();
            last.acknowledged();
        }
        assertThat(close.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(close.isSuccess()).isTrue();
    }

    @Test
    void givenNoConnectionWhenTheListenerClosesThenTheCloseCompletesAtOnce() throws Exception {
        LocalAddress at = new LocalAddress("alone");
        Channel listener = listen(at);
        assertThat(listener.close().await(10, TimeUnit.SECONDS)).isTrue();
    }
}
