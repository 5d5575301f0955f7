package dev.silkroute.app.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.UsageError;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.component.StageSpans.Stage;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.fixture.TestOtlpReceiver;
import dev.silkroute.fixture.TestOtlpReceiver.Received;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentity;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which exchanges are traced, and their spans as a receiver decodes them. */
class TracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private interface Scenario {
        void run(CamelContext camel, Tracing tracing) throws Exception;
    }

    /** Runs a test in a context with the routes in and store, and returns the spans when all have been sent. */
    private List<Received> spans(double ratio, Scenario test) throws Exception {
        try (TestOtlpReceiver receiver = new TestOtlpReceiver()) {
            return spans(receiver, ratio, test);
        }
    }

    private List<Received> spans(TestOtlpReceiver receiver, double ratio, Scenario test) throws Exception {
        Tracing tracing = new Tracing(
                TestConfig.of("silkroute.tracing.otlp-endpoint", receiver.url(), "silkroute.tracing.ratio", ratio),
                meters);
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            tracing.configure(camel);
            camel.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("direct:in").split(constant("a,b")).to("direct:store");
                    from("direct:store").process(exchange -> {
                        if (exchange.getMessage().getHeader("fail") != null) {
                            throw new IllegalStateException("table is full");
                        }
                    });
                }
            });
            camel.start();
            test.run(camel, tracing);
        }
        return receiver.spans();
    }

    private static Exchange send(CamelContext camel, Object body, String... header) {
        return camel.createProducerTemplate().request("direct:in", exchange -> {
            exchange.getMessage().setBody(body);
            for (String name : header) {
                exchange.getMessage().setHeader(name, true);
            }
        });
    }

    private static FrameBatch batch() {
        BmpSession session = new BmpSession(
                new SessionConfig("col", 10), 7, InetAddress.getLoopbackAddress(), RouterIdentity.configured("edge"));
        return new FrameBatch(session, new byte[20], 3, 1_000_000, 0, null, () -> {});
    }

    private static Exchange record(CamelContext camel, Object header) {
        Exchange record = new DefaultExchange(camel);
        record.getMessage().setHeader(BatchTracer.HEADER, header);
        record.getMessage().setHeader(KafkaConstants.TOPIC, "bmp.routes");
        record.getMessage().setHeader(KafkaConstants.PARTITION, 2);
        record.getMessage().setHeader(KafkaConstants.OFFSET, 42L);
        return record;
    }

    private static byte[] header(String trace, String flags) {
        return ("00-" + trace + "-" + PARENT + "-" + flags).getBytes(UTF_8);
    }

    @Test
    void withoutAReceiverNothingIsRegistered() throws Exception {
        Tracing tracing = new Tracing(TestConfig.of("silkroute.tracing.ratio", 1), meters);
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            tracing.configure(camel);
            assertThat(camel.getManagementStrategy().getEventNotifiers()).isEmpty();
            tracing.start(new DefaultExchange(camel), "decode").close();
        }
        assertThat(meters.getMeters()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://127.0.0.1:4318 | 0   | silkroute.tracing.ratio must be above 0 and at most 1
            http://127.0.0.1:4318 | 1.1 | silkroute.tracing.ratio must be above 0 and at most 1
            http://127.0.0.1:4318 | NaN | silkroute.tracing.ratio must be above 0 and at most 1
            127.0.0.1:4318        | 1   | silkroute.tracing.otlp-endpoint must be a URL of the form http://host:port or https://host:port
            grpc://127.0.0.1:4317 | 1   | silkroute.tracing.otlp-endpoint must be a URL of the form http://host:port or https://host:port
            http://user@host:4318 | 1   | silkroute.tracing.otlp-endpoint must be a URL of the form http://host:port or https://host:port
            """)
    void invalidSettingsAreUsageErrors(String endpoint, String ratio, String message) {
        assertThatThrownBy(() -> TraceSettings.of(
                        TestConfig.of("silkroute.tracing.otlp-endpoint", endpoint, "silkroute.tracing.ratio", ratio)))
                .isInstanceOf(UsageError.class)
                .hasMessage(message);
    }

    @Test
    void aBatchAndItsPartsAreOneTrace() throws Exception {
        List<Received> spans = spans(1, (camel, tracing) -> send(camel, batch()));

        Received root = named(spans, "batch").getFirst();
        assertThat(root.parent()).isEmpty();
        assertThat(root.startNanos()).as("when the bytes were read").isEqualTo(1_000_000_000);
        assertThat(root.attributes())
                .containsEntry("service.name", "silkroute")
                .containsEntry("silkroute.session_id", "7")
                .containsEntry("silkroute.first_message", "3")
                .containsEntry("silkroute.bytes", "20");
        assertThat(spans).hasSize(4).allSatisfy(span -> {
            assertThat(span.trace()).isEqualTo(root.trace());
            assertThat(span.failed()).isFalse();
            assertThat(span.endNanos()).isBetween(span.startNanos(), root.endNanos());
        });
        assertThat(named(spans, "read"))
                .singleElement()
                .satisfies(read -> assertThat(read.parent()).isEqualTo(root.id()));
        assertThat(named(spans, "direct:store"))
                .as("one for each part")
                .hasSize(2)
                .allSatisfy(step -> assertThat(step.parent()).isEqualTo(root.id()));
        assertThat(counted("sent")).isEqualTo(4);
    }

    @Test
    void aStageIsASpanOfATracedExchangeOnly() throws Exception {
        List<Received> spans = spans(1, (camel, tracing) -> {
            Exchange traced = send(camel, batch());
            for (Exchange exchange : List.of(traced, new DefaultExchange(camel))) {
                try (Stage stage = tracing.start(exchange, "decode")) {
                    assertThat(stage).isNotNull();
                }
            }
        });
        assertThat(named(spans, "decode"))
                .singleElement()
                .satisfies(decode -> assertThat(decode.parent())
                        .isEqualTo(named(spans, "batch").getFirst().id()));
    }

    @Test
    void aFailedStepIsAnError() throws Exception {
        List<Received> spans = spans(1, (camel, tracing) -> send(camel, batch(), "fail"));

        assertThat(named(spans, "direct:store"))
                .isNotEmpty()
                .allSatisfy(step -> assertThat(step.failed()).isTrue());
    }

    @Test
    void mostBatchesAreNotTraced() throws Exception {
        List<Received> spans = spans(0.000_001, (camel, tracing) -> {
            for (int i = 0; i < 20; i++) {
                send(camel, batch());
            }
            send(camel, "neither a batch nor records");
        });
        assertThat(spans).isEmpty();
    }

    @Test
    void aLaneContinuesTheTracesOfItsRecords() throws Exception {
        List<Received> spans = spans(0.000_001, (camel, tracing) -> {
            List<Exchange> records = new ArrayList<>();
            records.add(new DefaultExchange(camel));
            records.add(record(camel, header(TRACE, "01")));
            records.add(record(camel, header(TRACE, "01")));
            records.add(record(camel, header("f".repeat(32), "00")));
            records.add(record(camel, "not a trace"));
            send(camel, records);
        });
        Received consumed = named(spans, "consume bmp.routes").getFirst();
        assertThat(consumed.trace()).isEqualTo(TRACE);
        assertThat(consumed.parent()).isEqualTo(PARENT);
        assertThat(consumed.attributes())
                .containsEntry("messaging.destination.name", "bmp.routes")
                .containsEntry("messaging.destination.partition.id", "2")
                .containsEntry("messaging.kafka.offset", "42");
        assertThat(spans).hasSize(3).allMatch(span -> span.trace().equals(TRACE));
        assertThat(named(spans, "direct:store"))
                .hasSize(2)
                .allMatch(step -> step.parent().equals(consumed.id()));
    }

    @Test
    void aLaneContinuesABoundedNumberOfTraces() throws Exception {
        List<Received> spans = spans(1, (camel, tracing) -> send(camel, records(camel, 20)));
        assertThat(named(spans, "consume bmp.routes")).hasSize(16);
    }

    private static List<Exchange> records(CamelContext camel, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> record(camel, header("%032x".formatted(i), "01")))
                .toList();
    }

    /** Each of the 200 batches is a part of 16 traces, and has two steps. */
    @Test
    void spansForWhichTooManyAreWaitingAreDroppedAndCounted() throws Exception {
        int dropped = 200 * 16 * 3 - SpanSender.MOST_SPANS;
        try (TestOtlpReceiver receiver = new TestOtlpReceiver()) {
            receiver.hold();
            List<Received> spans = spans(receiver, 1, (camel, tracing) -> {
                List<Exchange> records = records(camel, 16);
                for (int i = 0; i < 200; i++) {
                    send(camel, records);
                }
                assertThat(counted("dropped")).isEqualTo(dropped);
                receiver.release();
            });
            assertThat(spans).hasSize(SpanSender.MOST_SPANS);
        }
        assertThat(counted("sent")).isEqualTo(SpanSender.MOST_SPANS);
        assertThat(counted("failed")).isZero();
        assertThat(counted("dropped")).isEqualTo(dropped);
    }

    private double counted(String outcome) {
        return meters.get("silkroute.tracing.spans")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private static List<Received> named(List<Received> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }
}
