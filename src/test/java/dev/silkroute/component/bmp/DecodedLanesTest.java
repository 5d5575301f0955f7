package dev.silkroute.component.bmp;

import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.component.StageSpans;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A batch is decoded in portions of 2048 messages, each when the one before has been sent. */
class DecodedLanesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] INITIATION = TestMessages.initiation("edge");
    /** Becomes a record of the quarantine. */
    private static final byte[] MALFORMED = bmp(0);
    /** Becomes nothing. */
    private static final byte[] UNKNOWN = bmp(200);

    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final DecodeCounters counters = new DecodeCounters();
    private final DecodingSlots slots = new DecodingSlots(DecodingSlots.MIN);

    private static byte[] repeated(byte[] message, int times) {
        return join(Collections.nCopies(times, message).toArray(byte[][]::new));
    }

    private DecodedLanes lanes(byte[] bytes, @Nullable String end) {
        BmpSession session = new BmpSession(
                new SessionConfig("col", 10), 1, InetAddress.getLoopbackAddress(), RouterIdentity.configured("edge"));
        FrameBatch batch = new FrameBatch(session, bytes, 0, 0, 0, end, () -> {});
        return new DecodedLanes(
                new DefaultExchange(camel), batch, new SessionRegistry(1), counters, slots, StageSpans.NONE);
    }

    private static String lane(Message message) {
        return message.getHeader(LaneMessage.LANE, String.class);
    }

    private static List<?> records(Message message) {
        return message.getBody(List.class);
    }

    private static JsonNode json(Object record) throws IOException {
        return JSON.readTree((byte[]) ((Message) record).getBody());
    }

    @Test
    void onlyAPortionIsDecodedAtATimeAndTheEndComesLast() throws IOException {
        DecodedLanes lanes =
                lanes(join(INITIATION, repeated(MALFORMED, 2 * DecodedLanes.PORTION)), "connection closed");
        List<String> found = new ArrayList<>();
        List<Long> sequences = new ArrayList<>();
        JsonNode last = null;
        while (lanes.hasNext()) {
            Message message = lanes.next();
            assertThat(slots.used()).isLessThanOrEqualTo(DecodedLanes.PORTION);
            found.add(lane(message));
            if (lane(message).equals("quarantine")) {
                for (Object record : records(message)) {
                    sequences.add(json(record).get("sequence").asLong() >> 16);
                }
            } else if (lane(message).equals("peers")) {
                last = json(records(message).getLast());
            }
        }
        assertThat(found)
                .containsExactly("routes", "peers", "quarantine", "quarantine", "routes", "peers", "quarantine");
        assertThat(sequences).hasSize(2 * DecodedLanes.PORTION).isSorted().doesNotHaveDuplicates();
        assertThat(last).isNotNull();
        assertThat(last.get("event").asText()).isEqualTo("session-down");
        assertThat(counters.batches()).isEqualTo(3);
        lanes.onDone(new DefaultExchange(camel));
        assertThat(slots.used()).isZero();
    }

    @Test
    void aFailedExchangeGivesItsPlacesBack() {
        DecodedLanes lanes = lanes(repeated(MALFORMED, 2 * DecodedLanes.PORTION), null);
        lanes.next();
        assertThat(slots.used()).isEqualTo(DecodedLanes.PORTION);
        lanes.onDone(new DefaultExchange(camel));
        assertThat(slots.used()).isZero();
    }

    @Test
    void aSessionWaitsWhileOthersHaveDecodedAsMuchAsIsAllowed() throws InterruptedException {
        DecodedLanes first = lanes(repeated(MALFORMED, DecodedLanes.PORTION), null);
        first.next();
        DecodedLanes second = lanes(MALFORMED, null);
        Thread waiting = Thread.ofPlatform().start(second::next);
        await().until(() -> waiting.getState() == Thread.State.WAITING);
        assertThat(counters.batches()).isEqualTo(1);
        first.onDone(new DefaultExchange(camel));
        waiting.join();
        assertThat(counters.batches()).isEqualTo(2);
        assertThat(slots.used()).isEqualTo(1);
    }

    @Test
    void camelsSplitAcceptsABatchWhoseLastMessagesBecomeNothing() throws Exception {
        List<String> sent = new ArrayList<>();
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:batch")
                        .split(body())
                        .streaming()
                        .stopOnException()
                        .process(exchange -> sent.add(lane(exchange.getMessage())));
            }
        });
        camel.start();
        try (camel) {
            DecodedLanes some = lanes(join(repeated(MALFORMED, DecodedLanes.PORTION), UNKNOWN), null);
            Exchange exchange = camel.createProducerTemplate()
                    .request("direct:batch", e -> e.getMessage().setBody(some));
            assertThat(exchange.getException()).isNull();
            assertThat(sent).containsExactly("routes", "peers", "quarantine");
            DecodedLanes none = lanes(new byte[0], null);
            Exchange empty = camel.createProducerTemplate()
                    .request("direct:batch", e -> e.getMessage().setBody(none));
            assertThat(empty.getException()).isNull();
            assertThat(sent).hasSize(3);
        }
    }

    @Test
    void aBoundBelowAPortionIsRejected() {
        assertThatThrownBy(() -> new DecodingSlots(DecodingSlots.MIN - 1))
                .hasMessage("must be at least 2048 messages, it is 2047");
    }
}
