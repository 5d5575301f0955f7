package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.component.replay.Sink;
import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A route with the component to a real socket, and the exchanges of its failure and reconnect routes. */
abstract class NettyFfHarness {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    final CamelContext camel = new DefaultCamelContext();
    final List<Exchange> failures = new CopyOnWriteArrayList<>();
    final List<Exchange> reconnects = new CopyOnWriteArrayList<>();
    private final List<Boolean> recordedOnEventLoop = new CopyOnWriteArrayList<>();
    ProducerTemplate template;
    Sink sink;

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
    NettyFfEndpoint route(String options) throws Exception {
        return route(sink.port(), options);
    }

    NettyFfEndpoint route(int port, String options) throws Exception {
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

    Exchange send(Object body) {
        return template.send("direct:in", exchange -> exchange.getIn().setBody(body));
    }

    /** Sends until an exchange fails or so many bytes are accepted; how many messages were. */
    int sendUntilRejected(int size, int bytes) {
        byte[] message = new byte[size];
        int accepted = 0;
        while ((long) accepted * size < bytes && send(message).getException() == null) {
            accepted++;
        }
        return accepted;
    }

    static void assertInvariant(NettyFfStatistics s) {
        assertThat(s.accepted()).as("%s", s).isEqualTo(s.written() + s.failed() + s.dropped() + s.pending());
    }

    long failuresNotified() {
        return failures.stream()
                .mapToLong(exchange -> exchange.getIn().getHeader(NettyFfConstants.FAILED_MESSAGES, Long.class))
                .sum();
    }

    /** Waits until the sender waits and the kernel takes no more. */
    static void awaitStall(NettyFfEndpoint endpoint) {
        AtomicLong written = new AtomicLong(-1);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            long now = endpoint.getStatistics().written();
            return written.getAndSet(now) == now && endpoint.sendBuffer().waiting() == 1;
        });
    }

    void awaitArrival(int bytes) {
        await().atMost(PATIENCE)
                .until(() -> sink.connections().stream()
                                .mapToInt(Sink.Connection::size)
                                .sum()
                        == bytes);
    }
}
