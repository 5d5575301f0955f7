package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.netty.NettyConstants;
import org.apache.camel.support.service.ServiceHelper;
import org.junit.jupiter.api.Test;

/** Tests what the component sends over a real socket, which exchanges it rejects, and its metrics. */
class NettyFfIT extends NettyFfHarness {
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
    void exchangesThatNeedTheResultOfTheWriteAreRejected() throws Exception {
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

        assertThat(meters.get("silkroute.netty.ff.accepted.messages")
                        .functionCounter()
                        .count())
                .isEqualTo(5);
        assertThat(meters.get("silkroute.netty.ff.written.messages")
                        .tag("address", "tcp://" + sink.address())
                        .functionCounter()
                        .count())
                .isEqualTo(5);
        assertThat(meters.get("silkroute.netty.ff.pending.messages").gauge().value())
                .isZero();
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
                List.of("Failed", "Dropped", "Rejected", "Pending", "PendingBytes", "Reconnects", "BlockedMillis")) {
            assertThat(server.getAttribute(name, attribute)).isEqualTo(0L);
        }
        camel.getRouteController().stopRoute("in");
        assertThat(meters.getMeters()).isEmpty();
    }
}
