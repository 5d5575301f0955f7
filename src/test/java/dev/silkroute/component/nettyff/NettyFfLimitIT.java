package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.embedded.Ports;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;

/** Tests the component with a peer that does not read, so that messages reach the limit of pending bytes. */
class NettyFfLimitIT extends NettyFfHarness {
    /** More than the kernel buffers for a peer that does not read, which is a few MiB. */
    private static final int MORE_THAN_THE_KERNEL_TAKES = 16 << 20;

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

        int accepted = sendUntilRejected(10_000, Integer.MAX_VALUE);
        ByteBuf buffer = Unpooled.wrappedBuffer(new byte[10_000]);
        Exchange rejected = send(buffer);
        while (rejected.getException() == null) { // the kernel has taken some more meanwhile, which has an end
            accepted++;
            buffer = Unpooled.wrappedBuffer(new byte[10_000]);
            rejected = send(buffer);
        }

        assertThat(rejected.getException())
                .hasMessageContaining("no room for 10000 bytes below maxPendingBytes=1048576");
        assertThat(buffer.refCnt()).isZero();
        assertThat(endpoint.getStatistics())
                .returns((long) accepted, NettyFfStatistics::accepted)
                .returns(2L, NettyFfStatistics::rejected);
    }

    @Test
    void atTheLimitMessagesAreDroppedAndCounted() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&overflow=DROP");
        int messages = MORE_THAN_THE_KERNEL_TAKES / 10_000;

        assertThat(sendUntilRejected(10_000, messages * 10_000)).isEqualTo(messages);
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
        int accepted = sendUntilRejected(10_000, Integer.MAX_VALUE);
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
        int accepted = sendUntilRejected(10_000, Integer.MAX_VALUE);

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
    void anEventLoopIsNotBlocked() throws Exception {
        sink.closed();
        NettyFfEndpoint endpoint = route("&sendTimeout=1h&drainTimeout=0");
        List<Exception> rejected = new CopyOnWriteArrayList<>();
        int relay = Ports.reserve(Ports.LOOPBACK);
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
                        .doCatch(SendRejectedException.class)
                        .process(e -> rejected.add(e.getProperty(Exchange.EXCEPTION_CAUGHT, Exception.class)));
            }
        });

        try (var socket = new java.net.Socket("127.0.0.1", relay)) {
            byte[] bytes = new byte[100_000];
            while (rejected.isEmpty()) {
                socket.getOutputStream().write(bytes);
            }
        }

        assertThat(rejected.getFirst()).hasMessageContaining("this thread is an event loop, which must not wait");
        assertInvariant(endpoint.getStatistics());
    }
}
