package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.Bytes;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.Messages;
import dev.silkroute.session.identity.RouterValues;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages that arrive before the router has identified itself are buffered, so that all of a session has one name. */
class UnidentifiedRouterTest extends FrameHandlerHarness {
    private static final int MAX_UNIDENTIFIED_BYTES = 65_536;
    private static final SessionLimits WIDE = new SessionLimits(100_000, 200_000, 100_000, SILENCE);
    private static final byte[] WITHOUT_NAME = new Messages(BmpMessages.VERSION)
            .initiation(new Tlv(1, null, Bytes.ofHex("74657374")))
            .bytes();
    private static final byte[] PEER_UP =
            new Messages(BmpMessages.VERSION).peerUp("").bytes();

    private final EmbeddedChannel channel =
            open(WIDE, new MemoryBudget(1 << 20, 1 << 18), RouterValues.NONE, 1, InetAddress.ofLiteral("192.0.2.99"));

    private List<String> records() {
        List<FrameBatch> batches = drain(channel);
        return batches.stream().flatMap(batch -> records(batch).stream()).toList();
    }

    private static List<String> records(FrameBatch batch) {
        DecodedBatch decoded =
                batch.session().decode(batch.bytes(), batch.firstMessage(), batch.receivedAtMicros(), batch.end());
        return ParsedRecords.of(decoded, LaneName.PEERS).stream()
                .map(record -> record.get("router") + " " + record.get("event") + " " + message(record))
                .toList();
    }

    private static long message(Map<String, Object> record) {
        return (long) record.get("sequence") >> 16;
    }

    @Test
    void givenMessagesWithoutANameThenTheyAreSentUnderTheNameThatALaterOneContains() {
        write(channel, WITHOUT_NAME);
        write(channel, WITHOUT_NAME);
        assertThat(channel.inboundMessages()).isEmpty();
        write(channel, PEER_UP);
        assertThat(records()).containsExactly("10.0.0.1 session-up 0", "10.0.0.1 initiation 0", "10.0.0.1 peer-up 2");
        channel.close();
        assertThat(records()).containsExactly("10.0.0.1 session-down 3");
    }

    @Test
    void givenASessionThatEndsUnidentifiedThenItsAddressIdentifiesIt() {
        write(channel, WITHOUT_NAME);
        channel.close();
        assertThat(records())
                .containsExactly("192.0.2.99 session-up 0", "192.0.2.99 initiation 0", "192.0.2.99 session-down 1");
    }

    @Test
    void givenMoreBytesThanTheBoundThenTheAddressIdentifiesTheRouterForGood() {
        int messages = 0;
        while (channel.inboundMessages().isEmpty()) {
            assertThat(messages * WITHOUT_NAME.length).isLessThanOrEqualTo(MAX_UNIDENTIFIED_BYTES);
            write(channel, WITHOUT_NAME);
            messages++;
        }
        assertThat(messages * WITHOUT_NAME.length).isGreaterThan(MAX_UNIDENTIFIED_BYTES);
        assertThat(records()).containsExactly("192.0.2.99 session-up 0", "192.0.2.99 initiation 0");
        write(channel, PEER_UP);
        assertThat(records()).containsExactly("192.0.2.99 peer-up " + messages);
    }
}
