package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.silkroute.component.replay.Sink;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.netty.NettyConstants;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.service.ServiceHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the component with real sockets: everything that can go wrong when an exchange is done before its message is
 * written.
 */
class NettyFfIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** More than the kernel buffers for a peer that does not read, which is a few MiB. */
    private static final int MORE_THAN_THE_KERNEL_TAKES = 16 << 20;

    private final CamelContext camel = new DefaultCamelContext();
    private final List<Exchange> failures = new CopyOnWriteArrayList<>();
    private final List<Exchange> reconnects = new CopyOnWriteArrayList<>();
    private final List<Boolean> recordedOnEventLoop = new CopyOnWriteArrayList<>();
    private ProducerTemplate template;
    private Sink sink;

    @BeforeEach
    void start() throws Exception {
        sink = new Sink();
        camel.getShutdownStrategy().setTimeout(5);
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:failed").process(exchange -> record(failures, exchange));
                from("direct:again").process(exchange -> record(reconnects, exchange));
            }
        });
        template = camel.createProducerTemplate();
        camel.start();
    }

    private void record(List<Exchange> to, Exchange exchange) {
        recordedOnEventLoop.add(ThreadExecutorMap.currentExecutor() instanceof EventLoop);
        to.add(exchange.copy());
    }

    @AfterEach
    void stop() throws Exception {
        camel.stop();
        sink.close();
        assertThat(recordedOnEventLoop).doesNotContain(true);
    }

    /** A route {@code direct:in} to the sink. */
    private NettyFfEndpoint route(String options) throws Exception {
        return route(sink.port(), options);
    }

    private NettyFfEndpoint route(int port, String options) throws Exception {
        String uri = "netty-ff:tcp://127.0.0.1:" + port + "?onFailure=direct:failed&onReconnect=direct:again" + options;
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(noErrorHandler());
                from("direct:in").routeId("in").to(uri);
            }
        });
        return camel.getEndpoint(uri, NettyFfEndpoint.class);
    }

    private Exchange send(Object body) {
        return template.send("direct:in", exchange -> exchange.getIn().setBody(body));
    }

    /** Sends until an exchange fails or so many bytes are accepted; how many messages were. */
    private int sendUntilRefused(int size, int bytes) {
        byte[] message = new byte[size];
        int accepted = 0;
        while ((long) accepted * size < bytes && send(message).getException() == null) {
            accepted++;
        }
        return accepted;
    }

    private static void assertInvariant(NettyFfStatistics s) {
        assertThat(s.accepted()).as("%s", s).isEqualTo(s.written() + s.failed() + s.dropped() + s.pending());
    }

    private long failuresNotified() {
        return failures.stream()
                .mapToLong(exchange -> exchange.getIn().getHeader(NettyFfConstants.FAILED_MESSAGES, Long.class))
                .sum();
    }

    /** Waits until the sender waits and the kernel takes no more. */
    private static void awaitStall(NettyFfEndpoint endpoint) {
        AtomicLong written = new AtomicLong(-1);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            long now = endpoint.getStatistics().written();
            return written.getAndSet(now) == now && endpoint.sendBuffer().waiting() == 1;
        });
    }

    private void awaitArrival(int bytes) {
        await().atMost(PATIENCE)
                .until(() -> sink.connections().stream()
                                .mapToInt(Sink.Connection::size)
                                .sum()
                        == bytes);
    }

    private static byte[] message(int sender, int number) {
        return ByteBuffer.allocate(60).putInt(sender).putInt(number).array();
    }

    @Test
    void concurrentSendersShareOneConnectionAndEachKeepsItsOrder() throws Exception {
        NettyFfEndpoint endpoint = route("");
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:other").to(endpoint);
            }
        });
        int each = 20_000;

        var senders = IntStream.range(0, 4)
                .mapToObj(sender -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < each; i += 10) {
                        List<byte[]> batch = new ArrayList<>();
                        for (int j = i; j < i + 10; j++) {
                            batch.add(message(sender, j));
                        }
                        template.sendBody(sender % 2 == 0 ? "direct:in" : "direct:other", batch);
                    }
                }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(senders).join();
        assertThat(endpoint.flush(PATIENCE)).isTrue();
        awaitArrival(4 * each * 60);

        assertThat(sink.connections()).hasSize(1);
        int[] next = new int[4];
        ByteBuffer bytes = ByteBuffer.wrap(sink.connections().getFirst().bytes());
        for (int at = 0; at < bytes.limit(); at += 60) {
            int sender = bytes.getInt(at);
            assertThat(bytes.getInt(at + 4)).isEqualTo(next[sender]++);
        }
        assertThat(next).containsOnly(each);
        assertThat(endpoint.getStatistics()).returns(4L * each, NettyFfStatistics::written);
    }

    @Test
    void bodiesOfEveryForm() throws Exception {
        route("");
        ByteBuf buffer = Unpooled.copiedBuffer(new byte[] {3, 4});
        ByteBuf inBatch = Unpooled.directBuffer().writeByte(6);

        template.sendBody("direct:in", new byte[] {1, 2});
        template.sendBody("direct:in", buffer);
        template.sendBody("direct:in", new Object[] {new byte[] {5}, inBatch});
        template.sendBody("direct:in", new byte[][] {{7}, {8}});
        template.sendBody("direct:in", "text");
        template.sendBodyAndHeader("direct:in", new byte[] {9, 10}, NettyFfConstants.MESSAGES, 2);
        awaitArrival(14);

        assertThat(sink.connections().getFirst().bytes())
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 't', 'e', 'x', 't', 9, 10);
        assertThat(buffer.refCnt()).isZero();
        assertThat(inBatch.refCnt()).isZero();
        assertThat(send(List.of(new byte[1], "no")).getException())
                .hasMessage("message 1 of the batch is neither a byte[] nor a ByteBuf but a java.lang.String");
        assertThat(send(null).getException()).isInstanceOf(org.apache.camel.InvalidPayloadException.class);
    }

    @Test
    void aBodyChangedAfterwardsIsSentUnchanged() throws Exception {
        route("&lingerMicros=50000");
        byte[] body = {1, 2, 3};

        template.sendBody("direct:in", body);
        body[0] = 99;
        awaitArrival(3);

        assertThat(sink.connections().getFirst().bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void exchangesThatNeedTheResultOfTheWriteAreRefused() throws Exception {
        NettyFfEndpoint endpoint = route("");
        ByteBuf buffer = Unpooled.buffer().writeZero(8).retain(3);

        Exchange inOut =
                template.send("direct:in", ExchangePattern.InOut, e -> e.getIn().setBody(buffer));
        Exchange transacted = template.send("direct:in", exchange -> {
            exchange.getExchangeExtension().setTransacted(true);
            exchange.getIn().setBody(List.of(buffer));
        });
        Exchange closing = template.send("direct:in", exchange -> {
            exchange.getIn().setBody(buffer);
            exchange.getIn().setHeader(NettyConstants.NETTY_CLOSE_CHANNEL_WHEN_COMPLETE, true);
        });

        assertThat(inOut.getException()).hasMessageContaining("netty-ff has no reply");
        assertThat(transacted.getException()).hasMessageContaining("cannot be part of a transaction");
        assertThat(closing.getException()).hasMessageContaining("CamelNettyCloseChannelWhenComplete");
        assertThat(buffer.refCnt()).isEqualTo(1);
        buffer.release();
        assertThat(endpoint.getStatistics().accepted()).isZero();
    }

    @Test
    void aPeerThatClosesMidStreamLeavesEveryMessageCounted() throws Exception {
        sink.closeAfter(1_000_000);
        NettyFfEndpoint endpoint = route("&reconnect=false");

        int accepted = sendUntilRefused(60, Integer.MAX_VALUE);
        await().atMost(PATIENCE).until(() -> endpoint.getPending() == 0);

        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(s);
        assertThat(s.accepted()).isEqualTo(accepted);
        assertThat(s.refused()).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> failuresNotified() == s.failed());
        assertThat(failures).hasSizeLessThanOrEqualTo(1).allSatisfy(exchange -> {
            assertThat(exchange.getIn().getHeader(NettyFfConstants.ADDRESS)).isEqualTo("tcp://" + sink.address());
            assertThat(exchange.getIn().getHeader(NettyFfConstants.FAILED_BYTES, Long.class))
                    .isGreaterThanOrEqualTo(s.failed() * 60);
            assertThat(exchange.getIn().getHeader(NettyFfConstants.CAUSE, String.class))
                    .isNotBlank();
            assertThat(exchange.getProperty(Exchange.EXCEPTION_CAUGHT)).isInstanceOf(java.io.IOException.class);
        });
        assertThat(send(new byte[60]).getException()).isInstanceOf(SendRefusedException.class);
    }

    @Test
    void aStalledSinkBlocksTheSenderWithoutLoss() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&sendTimeout=1m");
        int messages = MORE_THAN_THE_KERNEL_TAKES / 1000;
        byte[] body = new byte[1000];

        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < messages; i++) {
                template.sendBody("direct:in", body);
            }
        });
        awaitStall(endpoint);
        NettyFfStatistics stalled = endpoint.getStatistics();
        assertInvariant(stalled);
        assertThat(stalled.pendingBytes()).isBetween(1_000_000L, 1L << 20);
        sink.open();

        assertThat(sender).succeedsWithin(PATIENCE);
        awaitArrival(messages * 1000);
        assertThat(endpoint.getStatistics())
                .returns((long) messages, NettyFfStatistics::written)
                .satisfies(s -> assertThat(s.blockedNanos()).isPositive());
    }

    @Test
    void atTheLimitExchangesFailAndBuffersAreReleased() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&overflow=FAIL&drainTimeout=0");

        int accepted = sendUntilRefused(10_000, Integer.MAX_VALUE);
        ByteBuf buffer = Unpooled.wrappedBuffer(new byte[10_000]);
        Exchange refused = send(buffer);
        while (refused.getException() == null) { // the kernel has taken some more meanwhile, which has an end
            accepted++;
            buffer = Unpooled.wrappedBuffer(new byte[10_000]);
            refused = send(buffer);
        }

        assertThat(refused.getException())
                .hasMessageContaining("no room for 10000 bytes below maxPendingBytes=1048576");
        assertThat(buffer.refCnt()).isZero();
        assertThat(endpoint.getStatistics())
                .returns((long) accepted, NettyFfStatistics::accepted)
                .returns(2L, NettyFfStatistics::refused);
    }

    @Test
    void atTheLimitMessagesAreDroppedAndCounted() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&overflow=DROP");
        int messages = MORE_THAN_THE_KERNEL_TAKES / 10_000;

        assertThat(sendUntilRefused(10_000, messages * 10_000)).isEqualTo(messages);
        NettyFfStatistics stalled = endpoint.getStatistics();
        sink.open();
        assertThat(endpoint.flush(PATIENCE)).isTrue();

        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(stalled);
        assertInvariant(s);
        assertThat(s).returns((long) messages, NettyFfStatistics::accepted).returns(0L, NettyFfStatistics::failed);
        assertThat(s.dropped()).isPositive();
        awaitArrival((int) s.written() * 10_000);
    }

    @Test
    void stoppingWaitsForAcceptedMessages() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&sendTimeout=200&drainTimeout=30s");
        int accepted = sendUntilRefused(10_000, Integer.MAX_VALUE);
        assertThat(endpoint.getPending()).isPositive();

        CompletableFuture<Void> stopping = CompletableFuture.runAsync(camel::stop);
        await().atMost(PATIENCE).until(() -> endpoint.sendBuffer().isStopped());
        sink.open();

        assertThat(stopping).succeedsWithin(PATIENCE);
        awaitArrival(accepted * 10_000);
        assertThat(endpoint.getStatistics())
                .returns((long) accepted, NettyFfStatistics::written)
                .returns(0L, NettyFfStatistics::failed);
        assertThat(failures).isEmpty();
    }

    @Test
    void stoppingWithAStalledSinkCountsTheRestAsFailed() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&sendTimeout=200&drainTimeout=100");
        int accepted = sendUntilRefused(10_000, Integer.MAX_VALUE);

        camel.getRouteController().stopRoute("in");

        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(s);
        assertThat(s).returns((long) accepted, NettyFfStatistics::accepted).returns(0L, NettyFfStatistics::pending);
        assertThat(s.failed()).isPositive();
        assertThat(failuresNotified()).isEqualTo(s.failed());
    }

    @Test
    void stoppingReleasesWaitingSenders() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&sendTimeout=1h&drainTimeout=100");
        var producer = endpoint.createProducer();
        producer.start();
        var sender = CompletableFuture.supplyAsync(() -> {
            Exchange exchange = endpoint.createExchange();
            exchange.getIn().setBody(new byte[100_000]);
            while (exchange.getException() == null) {
                ((DelegatingProducer) producer).process(exchange, _ -> {});
            }
            return exchange.getException();
        });
        await().atMost(PATIENCE).until(() -> endpoint.sendBuffer().waiting() == 1);

        camel.getRouteController().stopRoute("in");
        producer.stop();

        assertThat(sender).succeedsWithin(PATIENCE).satisfies(e -> assertThat(e).hasMessageContaining("is stopped"));
        assertInvariant(endpoint.getStatistics());
    }

    @Test
    void aWaitingSenderIsReleasedWhenThePeerCloses() throws Exception {
        sink.closed().closeAfter(1);
        NettyFfEndpoint endpoint = route("&sendTimeout=1h");
        CompletableFuture<Integer> sender =
                CompletableFuture.supplyAsync(() -> sendUntilRefused(10_000, Integer.MAX_VALUE));
        awaitStall(endpoint);

        sink.open();

        assertThat(sender).succeedsWithin(PATIENCE);
        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(s);
        assertThat(s.accepted()).isEqualTo(sender.join().longValue());
        assertThat(s.failed()).isPositive();
        await().atMost(PATIENCE).until(() -> failuresNotified() == s.failed());
    }

    @Test
    void itConnectsAndReconnectsFromTheLocalAddress() throws Exception {
        NettyFfEndpoint endpoint = route("&reconnectBackoff=10&localAddress=127.0.0.77");
        send("first");
        await().atMost(PATIENCE).until(() -> sink.connections().size() == 1);
        sink.connections().getFirst().hangUp();
        await().atMost(PATIENCE).until(() -> sink.connections().size() == 2);

        assertThat(sink.connections())
                .allSatisfy(each -> assertThat(each.remote().getHostAddress()).isEqualTo("127.0.0.77"));
        assertThat(endpoint.getReconnects()).isEqualTo(1);
    }

    @Test
    void aNewConnectionStartsWithANewMessage() throws Exception {
        sink.closed().closeAfter(1);
        NettyFfEndpoint endpoint = route("&sendTimeout=200&reconnectBackoff=10");
        int accepted = sendUntilRefused(10_000, Integer.MAX_VALUE);
        await().atMost(PATIENCE).until(() -> !sink.connections().isEmpty());
        sink.open();
        await().atMost(PATIENCE).until(() -> endpoint.getPending() == 0);
        sink.closeAfter(Integer.MAX_VALUE);
        await().atMost(PATIENCE).until(() -> !reconnects.isEmpty());

        Exchange refused = send("middle of the old session");
        template.sendBody("direct:in", "new session");
        endpoint.flush(PATIENCE);

        assertThat(refused.getException()).hasMessageStartingWith("the connection was lost");
        Sink.Connection last = sink.connections().getLast();
        await().atMost(PATIENCE).until(() -> last.size() == 11);
        assertThat(last.bytes()).asString().isEqualTo("new session");
        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(s);
        assertThat(s.accepted()).isEqualTo(accepted + 1);
        assertThat(s.reconnects()).isPositive();
        assertThat(reconnects.getLast().getIn().getHeader(NettyFfConstants.RECONNECTS, Long.class))
                .isPositive();
    }

    @Test
    void withoutAPeerMessagesFailUntilOneListens() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        NettyFfEndpoint endpoint = route(port, "&reconnectBackoff=50");

        template.sendBody("direct:in", "lost");
        await().atMost(PATIENCE).until(() -> endpoint.getFailed() == 1);
        await().atMost(PATIENCE).until(() -> failuresNotified() == 1);
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            try (var socket = server.accept()) {
                await().atMost(PATIENCE).until(() -> send("hello").getException() == null);
                assertThat(socket.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
            }
        }
        assertInvariant(endpoint.getStatistics());
    }

    @Test
    void anEagerEndpointDoesNotStartWithoutItsPeer() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThatThrownBy(() -> route(port, "&lazyChannelCreation=false"))
                .rootCause()
                .hasMessageContaining("refused");

        route("&lazyChannelCreation=false&reconnect=false").getStatistics();
        await().atMost(PATIENCE).until(() -> sink.connections().size() == 1);
    }

    @Test
    void anEventLoopIsNotBlocked() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&sendTimeout=1h&drainTimeout=0");
        List<Exception> refused = new CopyOnWriteArrayList<>();
        int relay;
        try (ServerSocket free = new ServerSocket(0)) {
            relay = free.getLocalPort();
        }
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                // Without an executor camel-netty's consumer runs its route on the event loop.
                from("netty:tcp://127.0.0.1:" + relay
                                + "?sync=false&allowDefaultCodec=false&usingExecutorService=false")
                        // The buffer is the consumer's, and one more reference is what netty-ff may keep.
                        .process(e -> e.getIn().getBody(ByteBuf.class).retain())
                        .doTry()
                        .to(endpoint)
                        .doCatch(SendRefusedException.class)
                        .process(e -> refused.add(e.getProperty(Exchange.EXCEPTION_CAUGHT, Exception.class)));
            }
        });

        try (var socket = new java.net.Socket("127.0.0.1", relay)) {
            byte[] bytes = new byte[100_000];
            while (refused.isEmpty()) {
                socket.getOutputStream().write(bytes);
            }
        }

        assertThat(refused.getFirst()).hasMessageContaining("this thread is an event loop, which must not wait");
        assertInvariant(endpoint.getStatistics());
    }

    @Test
    void suspendingDrainsAndResumingContinues() throws Exception {
        NettyFfEndpoint endpoint = route("&lingerMicros=10000000");
        var producer = endpoint.createProducer();
        producer.start();
        Exchange exchange = endpoint.createExchange();
        exchange.getIn().setBody(new byte[100]);
        producer.process(exchange);

        ServiceHelper.suspendService(producer);
        assertThat(endpoint.getStatistics()).returns(1L, NettyFfStatistics::written);
        assertThatThrownBy(() -> sendBy(producer)).hasMessageContaining("stopped or suspended");
        ServiceHelper.resumeService(producer);
        sendBy(producer);
        assertThat(endpoint.flush(PATIENCE)).isTrue();
        producer.stop();

        awaitArrival(200);
        assertThat(sink.connections()).hasSize(1);
    }

    private static void sendBy(org.apache.camel.Producer producer) throws Exception {
        Exchange exchange = producer.getEndpoint().createExchange();
        exchange.getIn().setBody(new byte[100]);
        producer.process(exchange);
        if (exchange.getException() != null) {
            throw exchange.getException();
        }
    }

    @Test
    void countersAreInJmxAndMicrometer() throws Exception {
        MeterRegistry meters = new SimpleMeterRegistry();
        camel.getRegistry().bind("meters", MeterRegistry.class, meters);
        NettyFfEndpoint endpoint = route("");
        template.sendBody("direct:in", Collections.nCopies(5, new byte[10]));
        endpoint.flush(PATIENCE);

        assertThat(meters.get("netty.ff.accepted").functionCounter().count()).isEqualTo(5);
        assertThat(meters.get("netty.ff.written")
                        .tag("address", "tcp://" + sink.address())
                        .functionCounter()
                        .count())
                .isEqualTo(5);
        assertThat(meters.get("netty.ff.pending").gauge().value()).isZero();
        var server = ManagementFactory.getPlatformMBeanServer();
        var names = server.queryNames(
                new ObjectName(
                        "org.apache.camel:context=" + camel.getManagementName() + ",type=endpoints,name=\"netty-ff*\""),
                null);
        assertThat(names).hasSize(1);
        ObjectName name = names.iterator().next();
        for (String attribute : List.of("Accepted", "Written")) {
            assertThat(server.getAttribute(name, attribute)).isEqualTo(5L);
        }
        for (String attribute :
                List.of("Failed", "Dropped", "Refused", "Pending", "PendingBytes", "Reconnects", "BlockedMillis")) {
            assertThat(server.getAttribute(name, attribute)).isEqualTo(0L);
        }
        camel.getRouteController().stopRoute("in");
        assertThat(meters.getMeters()).isEmpty();
    }
}
