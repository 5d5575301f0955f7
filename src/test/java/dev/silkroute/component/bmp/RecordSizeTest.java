package dev.silkroute.component.bmp;

import static dev.silkroute.fixture.TestMessages.attribute;
import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bgp;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.hex;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.local;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.tlv;
import static dev.silkroute.fixture.TestMessages.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.transport.SessionLimits;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.SessionRecord;
import dev.silkroute.session.identity.RouterIdentifier;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a router sends, no record is too large for Kafka: it would be sent again and again, and block its session
 * for ever.
 */
class RecordSizeTest {
    /** {@code camel.component.kafka.max-request-size}. */
    private static final int RECORD = 8 << 20;

    /** With room for key and headers. */
    private static final int LARGEST = RECORD - (64 << 10);

    /** The longest message that settings may allow. */
    private static final int FRAME = SessionLimits.maxMessageBytes(RECORD);

    /** The largest batch that they may allow, and one read. */
    private static final int BATCH = FRAME + (64 << 10);

    private static final byte[] NONE = {};

    private static byte[] repeated(String hex, int bytes) {
        byte[] one = hex(hex);
        byte[] all = new byte[bytes / one.length * one.length];
        for (int at = 0; at < all.length; at += one.length) {
            System.arraycopy(one, 0, all, at, one.length);
        }
        return all;
    }

    /** Each as long as a message may be, or as often as a batch has room for it. */
    private record Hostile(String name, int version, Supplier<byte[]> stream) {
        Hostile(String name, Supplier<byte[]> stream) {
            this(name, 3, stream);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Hostile> hostile() {
        int body = FRAME - 100;
        return Stream.of(
                new Hostile(
                        "empty statistics", () -> bmp(1, peerHeader(), hex("00000001"), repeated("00630000", body))),
                new Hostile("empty mirrored TLVs", () -> bmp(6, peerHeader(), repeated("00000000", body))),
                new Hostile(
                        "one mirrored message",
                        () -> bmp(6, peerHeader(), repeated("0000fffb" + "55".repeat(0xfffb), body))),
                new Hostile("mirrored UPDATEs of nothing but faults", RecordSizeTest::mirroredFaults),
                new Hostile("empty strings", () -> bmp(4, repeated("00000000", body))),
                new Hostile("control characters", () -> bmp(4, repeated("0000fffb" + "01".repeat(0xfffb), body))),
                new Hostile("no UTF-8", () -> bmp(4, repeated("0000fffb" + "ff".repeat(0xfffb), body))),
                new Hostile("Peer Down", () -> bmp(2, peerHeader(), hex("01"), repeated("55", body))),
                new Hostile("capabilities", () -> bmp(3, peerHeader(), local(), open("4700"), open("4800"))),
                new Hostile("no UPDATE", () -> bmp(0, peerHeader(), repeated("55", body))),
                new Hostile("attributes twice and widened", RecordSizeTest::widened),
                new Hostile("every other route marked", 4, RecordSizeTest::marked),
                new Hostile("smallest UPDATEs", () -> batch(monitoring(update(new byte[1], NONE, NONE)))),
                new Hostile("Peer Downs", () -> batch(bmp(2, peerHeader(), hex("04")))));
    }

    /** As many capabilities of this kind as RFC 9072 has room for. */
    private static byte[] open(String capability) {
        byte[] all = repeated(capability, 65_535 - 40);
        ByteSink body = new ByteSink();
        body.u8(4).u16(65_001).u16(180).u32(1).u8(255).u8(255).u16(all.length + 3);
        body.u8(2).u16(all.length).bytes(all, 0, all.length);
        return bgp(1, body.toByteArray());
    }

    /**
     * As many UPDATEs as a message may have TLVs, with more outcomes than are reported for one UPDATE: its ORIGIN comes
     * again and again.
     */
    private static byte[] mirroredFaults() {
        byte[] update = update(NONE, repeated("40010100", 40 * 4), NONE);
        byte[] tlv = tlv(0, update);
        return bmp(6, peerHeader(), repeated(HexFormat.of().formatHex(tlv), 4096 * tlv.length));
    }

    private static byte[] batch(byte[] message) {
        return repeated(HexFormat.of().formatHex(message), BATCH);
    }

    /**
     * UPDATEs of IPv4 and IPv6 routes, each with two sets of attributes, AS_PATH in two octets and different in each.
     */
    private static byte[] widened() {
        int segments = 63;
        ByteSink batch = new ByteSink();
        for (int n = 0; batch.position() < BATCH; n++) {
            ByteSink path = new ByteSink();
            for (int i = 0; i < segments; i++) {
                path.u8(2).u8(255);
                for (int k = 0; k < 255; k++) {
                    path.u16(n + 1);
                }
            }
            byte[] reach = attribute(
                    0x80, 14, hex("000201" + "10" + "20010db8000000000000000000000001" + "00" + "3020010db80005"));
            byte[] attributes = join(attributes(2), attribute(0x40, 2, path.toByteArray()), reach);
            byte[] message = monitoring(update(NONE, attributes, hex("18c63301")));
            message[7] = 0x20;
            batch.bytes(message, 0, message.length);
        }
        return batch.toByteArray();
    }

    /**
     * Messages of version 4, each with as many routes as an UPDATE may have, and every other one in a group that is
     * marked.
     */
    private static byte[] marked() {
        int routes = 32_000;
        byte[] update = update(NONE, attributes(4), repeated("080a", 2 * routes));
        ByteSink group = new ByteSink();
        for (int i = 1; i < routes; i += 2) {
            group.u16(i);
        }
        byte[] message = bmp(
                0,
                peerHeader(),
                indexed(4, 0, update),
                indexed(2, 0x8001, group.toByteArray()),
                indexed(5, 0x8001, hex("00000002")));
        message[0] = 4;
        return batch(message);
    }

    private static byte[] indexed(int type, int index, byte[] value) {
        return join(new ByteSink().u16(type).u16(value.length).u16(index).toByteArray(), value);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void everyRecordFits(Hostile hostile) {
        byte[] stream = hostile.stream.get();
        byte[] before = stream.clone();
        InetAddress address = InetAddress.getLoopbackAddress();
        BmpSession session =
                new BmpSession(new SessionConfig("col", 100), 1, address, RouterIdentifier.identify(address, stream));
        DecodedBatch decoded = session.decode(stream, 0, 1, null);
        // with a header of a byte for each event (docs/reference/wire-format.md)
        assertThat(decoded.routes().length + decoded.events()).isLessThan(LARGEST);
        int records = 0;
        for (LaneName lane : LaneName.values()) {
            for (SessionRecord record : decoded.records(lane)) {
                assertThat(record.json().length).as(lane.text()).isLessThan(LARGEST);
                records++;
            }
        }
        assertThat(records).isPositive();
        assertThat(BigEndian.u8(stream, 0)).isEqualTo(hostile.version());
        assertThat(stream).as("what came is left as it was").isEqualTo(before);
    }

    @Test
    void theWidenedBatchGrows() {
        byte[] stream = widened();
        InetAddress address = InetAddress.getLoopbackAddress();
        BmpSession session =
                new BmpSession(new SessionConfig("col", 100), 1, address, RouterIdentifier.identify(address, stream));
        assertThat(session.decode(Arrays.copyOf(stream, stream.length), 0, 1, null)
                        .routes()
                        .length)
                .isGreaterThan(3 * stream.length);
    }
}
