package dev.silkroute.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.silkroute.collector.sockets.SocketTransport;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestMessages;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A station whose routers must sign their TCP connections with MD5 (RFC 2385). */
class RouterMd5IT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CONNECT_MILLIS = 2500;

    @TempDir
    Path folder;

    private static EpollEventLoopGroup threads;

    @BeforeAll
    static void requireSignatures() {
        String obstacle = SocketTransport.md5Obstacle();
        assumeTrue(obstacle == null, () -> "this system has no TCP MD5 signatures: " + obstacle);
        threads = new EpollEventLoopGroup(1);
    }

    @AfterAll
    static void stop() {
        if (threads != null) {
            threads.shutdownGracefully();
        }
    }

    @Test
    void onlyConnectionsWithTheKeyOfTheirAddressAreAccepted() throws Exception {
        Path keys = keys("# loopback\n127.0.0.1 first-key\n2001:db8::1=other\n");
        Map<String, String> environment =
                Map.of("SILKROUTE_BMP_MD5_KEYS", keys.toString(), "SILKROUTE_BMP_TLS_RELOAD_INTERVAL", "1s");
        try (StationProcess station = StationProcess.startOnSharedServers(environment, folder.resolve("data"))) {
            assertThat(station.log()).contains("Loaded TCP MD5 keys of 2 addresses from " + keys);
            // When a router signs with another key or not at all, then it does not connect
            rejected(connect(station, "127.0.0.1", "wrong-key"));
            rejected(connect(station, "127.0.0.1", null));
            // When it signs with its key, then its session is stored
            ChannelFuture signed = connect(station, "127.0.0.1", "first-key");
            accepted(signed, "signed");
            stored(station, "signed");
            // And an address without a key connects without
            ChannelFuture unsigned = connect(station, "127.0.0.2", null);
            accepted(unsigned, "unsigned");
            stored(station, "unsigned");
            // When the key is changed, then new connections need the new one, and the open session continues
            Files.writeString(keys, "127.0.0.1 second-key\n127.0.0.2 third-key\n");
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(station.log()).contains("Loaded changed TCP MD5 keys of 2 addresses"));
            rejected(connect(station, "127.0.0.1", "first-key"));
            rejected(connect(station, "127.0.0.2", null));
            ChannelFuture again = connect(station, "127.0.0.1", "second-key");
            accepted(again, "again");
            stored(station, "again");
            signed.channel()
                    .writeAndFlush(Unpooled.wrappedBuffer(TestMessages.route(7)))
                    .sync();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(station.sql("SELECT prefix FROM bmp.v_rib WHERE router = 'signed'"))
                            .contains("198.51.7.0/24"));
            // When the file becomes invalid, then that is logged without the key, and the keys stay
            Files.writeString(keys, "127.0.0.1 fourth-key five\n");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(station.log())
                            .contains("Keeping the previous TCP MD5 keys:" + " silkroute.bmp-md5-keys: " + keys
                                    + ", line 1: not of the form ADDRESS KEY"));
            ChannelFuture last = connect(station, "127.0.0.1", "second-key");
            assertThat(last.isSuccess()).as("%s", last.cause()).isTrue();
            assertThat(station.log()).doesNotContain("first-key", "second-key", "third-key", "fourth-key");
            for (ChannelFuture open : new ChannelFuture[] {signed, unsigned, again, last}) {
                open.channel().close().sync();
            }
        }
    }

    @Test
    void theStationSignsItsConnectionsToRoutersThatListen() throws Exception {
        Path keys = keys("127.0.0.1 right-key\n");
        Channel router = listen(0, "wrong-key");
        int port = ((InetSocketAddress) router.localAddress()).getPort();
        Map<String, String> environment = Map.of(
                "SILKROUTE_BMP_MD5_KEYS", keys.toString(),
                "SILKROUTE_BMP_CONNECT_ADDRESSES", "127.0.0.1:" + port,
                "SILKROUTE_BMP_CONNECT_TIMEOUT", "2s",
                "SILKROUTE_BMP_CONNECT_RETRY_DELAY", "100ms",
                "SILKROUTE_BMP_CONNECT_MAX_RETRY_DELAY", "1s");
        try (StationProcess station = StationProcess.startOnSharedServers(environment, folder.resolve("data"))) {
            // Given a router with another key, then the connection is not established
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(station.meter("bmp_connect_attempts_total", "outcome=\"failed\"")
                                    .orElse(0))
                            .isPositive());
            assertThat(station.meter("bmp_connect_attempts_total", "outcome=\"established\""))
                    .hasValue(0);
            // When it has the station's key, then its session is stored
            router.close().sync();
            router = listen(port, "right-key");
            stored(station, "listening");
            assertThat(station.log()).contains("BMP connection to 127.0.0.1:" + port + " is established");
        } finally {
            router.close().sync();
        }
    }

    /** Listens for a station that signs with a key, and sends it the table of the router "listening". */
    private static Channel listen(int port, String key) throws InterruptedException {
        ServerBootstrap server = new ServerBootstrap()
                .group(threads)
                .channel(EpollServerSocketChannel.class)
                .option(EpollChannelOption.TCP_MD5SIG, Map.of(InetAddress.getLoopbackAddress(), key.getBytes(UTF_8)))
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.writeAndFlush(Unpooled.wrappedBuffer(table("listening")));
                    }

                    @Override
                    public boolean isSharable() {
                        return true;
                    }
                });
        return server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .sync()
                .channel();
    }

    @Test
    void anInvalidFileFailsTheStart() throws Exception {
        Path data = folder.resolve("data");
        startFails(keys("192.0.2.1 one\n192.0.2.1 two\n"), data, "line 2: 192.0.2.1 has a key already");
        Path readable = keys("192.0.2.1 one\n");
        Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rw-r--r--"));
        startFails(readable, data, "every user of this machine can read");
        startFails(folder.resolve("missing"), data, "cannot read " + folder.resolve("missing"));
        assertThat(data).doesNotExist();
    }

    private static void startFails(Path keys, Path data, String reason) {
        Outcome outcome = StationProcess.command(
                Map.of("SILKROUTE_BMP_MD5_KEYS", keys.toString()), "run", "--data-dir", data.toString());
        assertThat(outcome.stderr().strip().lines()).as(outcome.stderr()).hasSize(1);
        assertThat(outcome.stderr())
                .startsWith("silkroute: silkroute.bmp-md5-keys: ")
                .contains(reason);
        assertThat(outcome.exitCode()).isEqualTo(2);
    }

    private Path keys(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("keys"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** Connects from an address, without a signature if there is no key. */
    private static ChannelFuture connect(StationProcess station, String from, @Nullable String key) throws Exception {
        Bootstrap client = new Bootstrap()
                .group(threads)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
        InetAddress address = InetAddress.getLoopbackAddress();
        if (key != null) {
            client.option(EpollChannelOption.TCP_MD5SIG, Map.of(address, key.getBytes(UTF_8)));
        }
        return client.connect(new InetSocketAddress(address, station.bmpPort()), new InetSocketAddress(from, 0))
                .await();
    }

    private static void rejected(ChannelFuture connection) {
        assertThat(connection.cause()).isInstanceOf(ConnectTimeoutException.class);
    }

    private static void accepted(ChannelFuture connection, String router) throws InterruptedException {
        assertThat(connection.isSuccess()).as("%s", connection.cause()).isTrue();
        connection
                .channel()
                .writeAndFlush(Unpooled.wrappedBuffer(table(router)))
                .sync();
    }

    private static byte[] table(String router) {
        return TestMessages.join(
                TestMessages.initiation(router), TestMessages.peerUp("192.0.2.77"), TestMessages.route(1));
    }

    private static void stored(StationProcess station, String router) {
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(station.sql("SELECT prefix FROM bmp.v_rib WHERE router = '" + router + "'"))
                                .containsExactly("198.51.1.0/24"));
    }
}
