package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.collector.gate.RouterAccess;
import dev.silkroute.collector.sessions.DumpEnd;
import dev.silkroute.collector.sessions.DumpLimits;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.QuotaLimits;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Table dumps of several routers over TCP, of which a limited number is sent at the same time. */
class PacedDumpsIT {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int PLACES = 2;
    private static final int ROUTERS = 8;
    /** The maximum that is read from a session without a place: the free bytes and one read. */
    private static final int MAX_UNPACED = 2 * DumpPacing.FREE_BYTES;

    private static final SessionConfig CONFIG = new SessionConfig("col", 100);
    private static final SessionLimits LIMITS = new SessionLimits(10_000, 1 << 20, 20_000, Duration.ofSeconds(60));

    private final SessionRegistry sessions = new SessionRegistry(
            100,
            QuotaLimits.NONE,
            Duration.ZERO,
            new DumpLimits(PLACES, Duration.ofMillis(400), Duration.ofMinutes(5)));
    private final EventLoopGroup threads = new NioEventLoopGroup(2);
    /** Decodes and acknowledges batches. One thread, so that dumps take longer than their transmission. */
    private final ExecutorService decoding = Executors.newSingleThreadExecutor();

    private final ExecutorService sending = Executors.newVirtualThreadPerTaskExecutor();
    private final LoadPlan plan = TestLoad.of(11, 1, 20_000).routers(ROUTERS).plan();
    private final Map<String, AtomicLong> decoded = new ConcurrentHashMap<>();
    private final Map<String, byte[]> dumps = new ConcurrentHashMap<>();
    private final AtomicInteger mostDumping = new AtomicInteger();
    private final List<Socket> sockets = new ArrayList<>();
    private InetSocketAddress station = new InetSocketAddress(LOOPBACK, 0);

    @BeforeEach
    void listen() throws InterruptedException {
        AtomicLong ids = new AtomicLong();
        ConnectionHandlers connections = new ConnectionHandlers(
                LIMITS,
                new MemoryBudget(1 << 26, 1 << 18),
                sessions,
                new TurnQueue(),
                _ -> new OpenSession(
                        CONFIG, new RouterIdentifier(LOOPBACK, RouterValues.NONE), ids.incrementAndGet(), LOOPBACK),
                _ -> RouterAccess.OPEN);
        Channel listener = new ServerBootstrap()
                .group(threads)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(connections.newHandler()).addLast(new Decoder());
                    }
                })
                .bind(station)
                .sync()
                .channel();
        station = (InetSocketAddress) listener.localAddress();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sending.close();
        threads.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        decoding.shutdownNow();
    }

    private final class Decoder extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            decoding.execute(() -> decode((FrameBatch) message));
        }
    }

    private void decode(FrameBatch batch) {
        batch.session().decode(batch.bytes(), batch.firstMessage(), batch.receivedAtMicros(), batch.end());
        String router = batch.session().router();
        decoded.computeIfAbsent(router, _ -> new AtomicLong()).addAndGet(batch.bytes().length);
        mostDumping.accumulateAndGet((int) dumping(), Math::max);
        batch.acknowledged();
    }

    /** Returns how many sessions have sent more than they may without a place, and not yet everything. */
    private long dumping() {
        return dumps.entrySet().stream()
                .filter(dump -> decoded(dump.getKey()) > MAX_UNPACED && decoded(dump.getKey()) < dump.getValue().length)
                .count();
    }

    private long decoded(String router) {
        AtomicLong bytes = decoded.get(router);
        return bytes == null ? 0 : bytes.get();
    }

    private long complete() {
        return dumps.entrySet().stream()
                .filter(dump -> decoded(dump.getKey()) == dump.getValue().length)
                .count();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(station.getAddress(), station.getPort());
        sockets.add(socket);
        return socket;
    }

    /** Returns the whole table of a router, from Initiation to End-of-RIB. */
    private byte[] dump(int number) {
        LoadRouter router = plan.router(number);
        byte[] dump = bytes(router, Integer.MAX_VALUE);
        assertThat(dump).hasSizeGreaterThan(5 * MAX_UNPACED);
        dumps.put(router.name(), dump);
        return dump;
    }

    /** Returns whole messages of a router, until there are as many bytes or no more messages. */
    private static byte[] bytes(LoadRouter router, int least) {
        ByteSink sink = new ByteSink();
        while (sink.position() < least && router.next(sink) > 0) {
            // the next messages
        }
        return sink.toByteArray();
    }

    private Socket send(byte[] bytes) throws IOException {
        Socket socket = connect();
        sending.execute(() -> {
            try {
                socket.getOutputStream().write(bytes);
            } catch (IOException e) {
                throw new IllegalStateException("the station has closed the connection", e);
            }
        });
        return socket;
    }

    @Test
    void givenMoreRoutersThanPlacesThenNoMoreDumpAtATimeAndAllComplete() throws IOException {
        for (int i = 0; i < ROUTERS; i++) {
            send(dump(i));
        }
        await().until(() -> complete() == ROUTERS && sessions.dumps().taken() == 0);
        assertThat(mostDumping).hasValueBetween(1, PLACES);
        assertThat(sessions.dumps().waiting()).isZero();
        assertThat(sessions.dumps().ended(DumpEnd.END_OF_RIB)).isEqualTo(ROUTERS);
        assertThat(sessions.count()).as("no session has ended").isEqualTo(ROUTERS);
    }

    @Test
    void givenRoutersThatStallWithinTheirTablesThenOthersCompleteAndTheyContinue() throws IOException {
        Socket[] stalled = new Socket[PLACES];
        for (int i = 0; i < PLACES; i++) {
            byte[] dump = dump(i);
            stalled[i] = send(Arrays.copyOf(dump, dump.length / 2));
        }
        await().until(() -> sessions.dumps().taken() == PLACES);

        for (int i = PLACES; i < ROUTERS; i++) {
            send(dump(i));
        }
        await().until(() -> complete() == ROUTERS - PLACES);
        assertThat(sessions.dumps().ended(DumpEnd.QUIET)).isEqualTo(PLACES);

        for (int i = 0; i < PLACES; i++) {
            byte[] dump = dump(i);
            stalled[i].getOutputStream().write(dump, dump.length / 2, dump.length - dump.length / 2);
        }
        await().until(() -> complete() == ROUTERS);
    }

    @Test
    void givenASessionThatHasSentItsTableThenItsChangesDoNotWaitForOthers() throws IOException {
        byte[] dump = dump(0);
        Socket first = send(dump);
        await().until(() -> complete() == 1 && sessions.dumps().taken() == 0);

        // Given: routers that send without end have all places, and one waits
        AtomicBoolean isStopped = new AtomicBoolean();
        for (int i = 1; i <= PLACES + 1; i++) {
            byte[] part = bytes(plan.router(i), MAX_UNPACED);
            OutputStream out = connect().getOutputStream();
            sending.execute(() -> sendWithoutEnd(part, out, isStopped));
        }
        await().until(() ->
                sessions.dumps().taken() == PLACES && sessions.dumps().waiting() == 1);

        // When: the first router sends more than a session without a place may
        byte[] changes = FrameHandlerHarness.messages(0, 2 * MAX_UNPACED / FrameHandlerHarness.MESSAGE);
        first.getOutputStream().write(changes);

        await().until(() -> decoded(plan.router(0).name()) == dump.length + changes.length);
        assertThat(sessions.dumps().waiting()).isEqualTo(1);
        assertThat(sessions.count()).isEqualTo(PLACES + 2);
        isStopped.set(true);
    }

    private static void sendWithoutEnd(byte[] begin, OutputStream out, AtomicBoolean isStopped) {
        byte[] more = FrameHandlerHarness.messages(0, 100);
        try {
            out.write(begin);
            while (!isStopped.get()) {
                out.write(more);
            }
        } catch (IOException e) {
            assertThat(isStopped).as("the test has closed the connection").isTrue();
        }
    }
}
