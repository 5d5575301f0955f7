package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.net.Bytes;
import dev.silkroute.route.RouteBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** By which name a router goes whose Initiation gives none. */
class RouterIdentityTest {
    private static final byte[] NAMELESS = new Messages(BmpMessages.VERSION)
            .initiation(new Tlv(1, null, Bytes.ofHex("74657374")))
            .bytes();
    private static final byte[] PEER_UP =
            new Messages(BmpMessages.VERSION).peerUp("").bytes();

    private final BmpSession session = Messages.session();

    private static List<String> told(DecodedBatch decoded) {
        return decoded.records(Lane.PEERS).stream()
                .map(record -> record.get("router") + " " + record.get("event") + " " + sequence(record))
                .toList();
    }

    private static long sequence(Map<String, Object> record) {
        return (long) record.get("sequence") >> 16;
    }

    @Test
    void nothingIsSaidUnderAnotherNameThanTheRest() {
        DecodedBatch before = session.decode(NAMELESS, 0, 1, null);
        assertThat(told(before)).isEmpty();
        assertThat(before.routes()).isEmpty();
        assertThat(told(session.decode(NAMELESS, 1, 2, null))).isEmpty();
        DecodedBatch named = session.decode(PEER_UP, 2, 3, null);
        assertThat(told(named))
                .containsExactly(
                        "10.0.0.1 session-up 0",
                        "10.0.0.1 initiation 0",
                        "10.0.0.1 initiation 1",
                        "10.0.0.1 peer-up 2");
        assertThat(RouteBatch.read(named.routes()).router()).isEqualTo("10.0.0.1");
        assertThat(session.messages()).isEqualTo(3);
        assertThat(told(session.decode(new byte[0], 3, 4, "over"))).containsExactly("10.0.0.1 session-down 3");
    }

    @Test
    void aSessionThatEndsBeforeIsItsAddresss() {
        session.decode(NAMELESS, 0, 1, null);
        assertThat(told(session.decode(new byte[0], 1, 2, "over")))
                .containsExactly("192.0.2.99 session-up 0", "192.0.2.99 initiation 0", "192.0.2.99 session-down 1");
    }

    @Test
    void whatIsHeldHasABound() {
        long message = 0;
        DecodedBatch decoded;
        do {
            decoded = session.decode(NAMELESS, message++, 1, null);
        } while (told(decoded).isEmpty() && message < 10_000);
        assertThat((message - 1) * NAMELESS.length).isLessThanOrEqualTo(65_536);
        assertThat(message * NAMELESS.length).isGreaterThan(65_536);
        assertThat(told(decoded)).hasSize((int) message + 1).allMatch(record -> record.startsWith("192.0.2.99 "));
        assertThat(told(session.decode(PEER_UP, message, 1, null))).containsExactly("192.0.2.99 peer-up " + message);
    }

    /** The reader finds out who it is later than the decoder had to say something, and then that the name is somebody else's. */
    @Test
    void aNameThatWasToldStays() {
        long message = 0;
        DecodedBatch decoded;
        do {
            decoded = session.decode(NAMELESS, message++, 1, null);
        } while (told(decoded).isEmpty() && message < 10_000);
        session.name().goBy("10.0.0.1@192.0.2.99");
        assertThat(told(session.decode(PEER_UP, message, 1, null))).containsExactly("192.0.2.99 peer-up " + message);
        assertThat(session.router()).isEqualTo("192.0.2.99");
    }

    /** Two of them would be one router, whichever begins first. */
    @Test
    void aBgpIdOfZeroIsNobodys() {
        String open = Messages.open("").replace("0a000001", "00000000");
        Messages zero = new Messages(BmpMessages.VERSION)
                .add(MessageType.PEER_UP, "00".repeat(12) + "c0000202" + "00b3" + "c001" + open + open);
        assertThat(session.name().arrive(zero.bytes(), zero.bytes().length)).contains("192.0.2.99");
        assertThat(told(session.decode(zero.bytes(), 0, 1, null)))
                .containsExactly("192.0.2.99 session-up 0", "192.0.2.99 peer-up 0");
    }

    static List<byte[]> cutMessages() {
        return List.of(
                PEER_UP,
                NAMELESS,
                new Messages(BmpMessages.VERSION).peerDown("04").bytes());
    }

    /** A router that doesn't say what it should is its address, and its message is told of. */
    @ParameterizedTest
    @MethodSource("cutMessages")
    void messagesThatAreCutOffDoNotNameIt(byte[] whole) {
        for (int length = BmpMessages.COMMON_HEADER_LENGTH; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            ByteBuffer.wrap(cut).putInt(1, length); // RFC 7854, Section 4.1
            BmpSession router = Messages.session();
            router.name().arrive(cut, cut.length);
            DecodedBatch decoded = router.decode(cut, 0, 1, "over");
            assertThat(decoded.router()).as("%d bytes", length).isEqualTo("192.0.2.99");
            assertThat(told(decoded)).contains("192.0.2.99 session-down 1");
            if (BmpMessages.type(cut, 0) == MessageType.PEER_UP.code()) {
                assertThat(decoded.records(Lane.QUARANTINE))
                        .as("%d bytes", length)
                        .hasSize(1);
            }
        }
    }
}
