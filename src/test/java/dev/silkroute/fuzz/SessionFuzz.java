package dev.silkroute.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.ByteSink;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/** Fuzzes whole sessions: every complete message is decoded, quarantined or skipped, and counted. */
class SessionFuzz {
    private static final SessionConfig CONFIG = new SessionConfig("col", 3);
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.99");
    private static final byte[] BEGINNING = beginning();
    private static final int MESSAGES = 2;

    /** An Initiation and a Peer Up that negotiates four-octet AS numbers and path identifiers for IPv6. */
    private static byte[] beginning() {
        ByteSink out = new ByteSink();
        BmpEncoder.initiation("fuzz", "a router", out);
        int start = BmpEncoder.begin(MessageType.PEER_UP, out);
        header(out);
        out.i64(0).i64(0xC000_0201L).u16(179).u16(40_000);
        for (int i = 0; i < 2; i++) {
            out.i64(-1)
                    .i64(-1)
                    .u16(45)
                    .u8(1)
                    .u8(4)
                    .u16(65_001)
                    .u16(180)
                    .u32(0x0A00_0001)
                    .u8(16);
            out.u8(2)
                    .u8(14)
                    .u8(65)
                    .u8(4)
                    .u32(65_001)
                    .u8(69)
                    .u8(4)
                    .u16(2)
                    .u8(1)
                    .u8(3)
                    .u8(6)
                    .u8(0);
        }
        BmpEncoder.end(start, out);
        return out.toByteArray();
    }

    private static void header(ByteSink out) {
        out.u8(0)
                .u8(0)
                .i64(0)
                .i64(0)
                .i64(0xC000_024DL)
                .u32(65_001)
                .u32(0x0A00_004D)
                .i64(0);
    }

    /** Input: a stream, which follows valid messages. */
    @FuzzTest(maxDuration = "3m")
    void stream(byte[] input) {
        byte[] stream = Arrays.copyOf(BEGINNING, BEGINNING.length + input.length);
        System.arraycopy(input, 0, stream, BEGINNING.length, input.length);
        decode(stream);
    }

    /** Input: the content of a Route Monitoring message of a peer that is up. */
    @FuzzTest(maxDuration = "3m")
    void routeMonitoring(byte[] input) {
        ByteSink out = new ByteSink();
        out.bytes(BEGINNING, 0, BEGINNING.length);
        int start = BmpEncoder.begin(MessageType.ROUTE_MONITORING, out);
        header(out);
        out.i64(-1).i64(-1).u16(19 + Math.min(input.length, 60_000)).u8(2).bytes(input, 0, input.length);
        BmpEncoder.end(start, out);
        decode(out.toByteArray());
    }

    private static void decode(byte[] stream) {
        FrameScanner scanner = new FrameScanner();
        scanner.scan(stream, 0, stream.length);
        byte[] framed = Arrays.copyOf(stream, scanner.end());
        BmpSession session = new BmpSession(CONFIG, 1, ADDRESS, RouterIdentifier.identify(ADDRESS, framed));
        DecodedBatch decoded = session.decode(framed, 0, 1, "over");
        assertThat(session.messages()).isEqualTo(scanner.messages()).isGreaterThanOrEqualTo(MESSAGES);
        long messages = 0;
        for (int type = 0; type < 8; type++) {
            messages += decoded.messages(type);
        }
        assertThat(messages).isEqualTo(scanner.messages());
        RouteBatch batch = RouteBatch.read(decoded.routes());
        assertThat(Reading.batch(batch)).isEqualTo(decoded.events());
        for (int i = 0; i < batch.attributeSetCount(); i++) {
            PathAttributes.decode(batch.bytes(), batch.attributesFrom(i), batch.attributesTo(i))
                    .toJson();
        }
        for (LaneName lane : LaneName.values()) {
            ParsedRecords.of(decoded, lane).forEach(SessionFuzz::record);
        }
        ParsedRecords.of(decoded, LaneName.QUARANTINE).forEach(SessionFuzz::quarantined);
    }

    private static void record(Map<String, Object> record) {
        assertThat(record).containsKeys("event", "collector", "router", "session_id", "sequence", "received_at");
    }

    private static void quarantined(Map<String, Object> record) {
        byte[] bytes = Base64.getDecoder().decode((String) record.get("bytes"));
        assertThat(BmpMessages.length(bytes, 0)).isEqualTo(bytes.length);
        assertThat((Integer) record.get("offset")).as(record.toString()).isBetween(0, bytes.length);
        assertThat((String) record.get("reason")).isNotEmpty();
    }
}
