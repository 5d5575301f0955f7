package dev.silkroute.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that the station opens belong to a listener. */
class ListeningRouterIT {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int LIMIT_SECONDS = 60;
    private static final ListeningRouter.Settings AT_ONCE =
            new ListeningRouter.Settings(Duration.ofMillis(10), Duration.ofMillis(10));
    private static final ListeningRouter.Settings ONCE_AN_HOUR =
            new ListeningRouter.Settings(Duration.ofHours(1), Duration.ofHours(1));

    private final BmpAcceptor acceptor =
            new BmpAcceptor(SocketTransport.NIO, new DefaultThreadFactory("acceptor", true), Md5Keys.NONE);
    private final BmpConnector connector = new BmpConnector(SocketTransport.NIO, acceptor, Duration.ofSeconds(10));
    private final EventLoopGroup readers = new NioEventLoopGroup(1);
    private final BlockingQueue<Channel> active = new LinkedBlockingQueue<>();
    private @Nullable ListeningRouter router;

    @AfterEach
    void stop() {
        if (router != null) {
            router.close();
        }
        acceptor.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        readers.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private Channel listen(int port) throws InterruptedException {
        return new ServerBootstrap()
                .group(acceptor, readers)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelActive(ChannelHandlerContext ctx) {
                                active.add(ctx.channel());
                            }
                        });
                    }
                })
                .bind(new InetSocketAddress(LOOPBACK, port))
                .sync()
                .channel();
    }

    private ListeningRouter connect(int listenerPort, int port, ListeningRouter.Settings settings) {
        ListeningRouter created = new ListeningRouter(acceptor, connector, listenerPort, "127.0.0.1", port, settings);
        router = created;
        created.start();
        return created;
    }

    private Channel nextConnection() throws InterruptedException {
        Channel connection = active.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(connection).isNotNull();
        return connection;
    }

    @Test
    void aConnectionHasTheHandlersOfItsListenerAndIsOpenedAgainWhenTheRouterClosesIt() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
            Channel listener = listen(0);
            ListeningRouter opened =
                    connect(((InetSocketAddress) listener.localAddress()).getPort(), listening.getLocalPort(), AT_ONCE);
            listening.accept().close();
            Channel first = nextConnection();
            assertThat(BmpConnector.isOutgoing(first)).isTrue();
            assertThat(BmpConnector.listener(first)).isSameAs(listener);
            try (Socket second = listening.accept()) {
                assertThat(nextConnection()).isNotSameAs(first);
                await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(opened::isConnected);
                assertThat(opened.established()).isEqualTo(2);
                assertThat(second.isConnected()).isTrue();
            }
        }
    }

    @Test
    void anAcceptedConnectionBelongsToItsListener() throws Exception {
        Channel listener = listen(0);
        try (Socket client = new Socket(LOOPBACK, ((InetSocketAddress) listener.localAddress()).getPort())) {
            Channel accepted = nextConnection();
            assertThat(BmpConnector.isOutgoing(accepted)).isFalse();
            assertThat(BmpConnector.listener(accepted)).isSameAs(listener);
            assertThat(client.isConnected()).isTrue();
        }
    }

    @Test
    void aConnectionThatEndsWithItsListenerIsOpenedAgainAtOnceWhenThereIsAnother() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
            Channel listener = listen(0);
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            ListeningRouter opened = connect(port, listening.getLocalPort(), ONCE_AN_HOUR);
            Channel connection = nextConnection();
            listener.close().sync();
            connection.close().sync();
            await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(() -> !opened.isConnected());
            Channel next = listen(port);
            assertThat(BmpConnector.listener(nextConnection())).isSameAs(next);
            await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(() -> opened.established() == 2);
            assertThat(opened.failed()).isZero();
        }
    }
}
