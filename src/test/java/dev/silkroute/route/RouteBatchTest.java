package dev.silkroute.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records survive a round trip, their bytes stay as the golden files have them, and damaged records are rejected. */
class RouteBatchTest {
    private static final byte[] SET_A = HexFormat.of().parseHex("50010001005002000602010000fde8");
    private static final byte[] SET_B = HexFormat.of().parseHex("500100010150020000");
    /** 10.0.0.0/8 and 192.0.2.0/24. */
    private static final byte[] TWO_PREFIXES = HexFormat.of().parseHex("080a18c00002");
    /** 203.0.113.0/25 with path identifier 2³²−1. */
    private static final byte[] WITH_PATH_ID = HexFormat.of().parseHex("ffffffff19cb007100");

    private static final PeerEntry PEER = new PeerEntry(
            0, 0x0000FDE800000001L, false, 0, 0xC000020BL, 0xFA56EA0B, 0x0A00000B, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final PeerEntry LOC_RIB =
            new PeerEntry(3, 0, true, 0xFD0000B300000000L, 0x15, 64512, 0x0A000001, RibView.LOC_RIB);

    private static byte[] sample() {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin("col-1", "röuter", "192.0.2.1", 1_795_211_441_000_000L, 1_795_211_441_123_456L);
        builder.event(EventKind.SESSION_UP, -1, 0, false, 0, 0);
        int peer = builder.peer(PEER);
        int loc = builder.peer(LOC_RIB);
        builder.event(EventKind.PEER_UP, peer, 0, false, 1 << 16, 77);
        int a = builder.attributeSet(SET_A, 0, SET_A.length);
        int b = builder.attributeSet(SET_B, 0, SET_B.length);
        assertThat(builder.attributeSet(SET_A.clone(), 0, SET_A.length)).isEqualTo(a);
        assertThat(builder.peer(PEER)).isEqualTo(peer);
        builder.group(peer, Family.IPV4_UNICAST).at(2 << 16, 0).withdraw(2, TWO_PREFIXES, 0, 6);
        builder.group(peer, Family.IPV4_UNICAST).at((2 << 16) + 2, 88).announce(a, 2, TWO_PREFIXES, 0, 6);
        builder.group(loc, Family.IPV4_UNICAST)
                .pathIds(true)
                .synthetic(true)
                .at(3 << 16, 0)
                .announce(b, 1, WITH_PATH_ID, 0, 9);
        builder.event(EventKind.END_OF_RIB, loc, Family.IPV6_UNICAST, false, 4 << 16, 0);
        builder.event(EventKind.PEER_DOWN, peer, 0, true, 5 << 16, 0);
        builder.event(EventKind.SESSION_DOWN, -1, 0, false, 6 << 16, 0);
        return builder.build();
    }

    private static List<String> texts(RouteBatch batch) {
        return texts(batch, batch.cursor());
    }

    private static List<String> texts(RouteBatch batch, RouteCursor cursor) {
        List<String> texts = new ArrayList<>();
        while (cursor.next()) {
            String text = "%s peer=%d family=%x sequence=%d time=%d synthetic=%b all=%b set=%d"
                    .formatted(
                            cursor.kind(),
                            cursor.peerIndex(),
                            cursor.family(),
                            cursor.sequence(),
                            cursor.routerTimeMicros(),
                            cursor.synthetic(),
                            cursor.coversAllViews(),
                            cursor.attributeSet());
            text += PathMarking.isMarked(cursor.marking()) ? " marking=" + cursor.marking() : "";
            if (cursor.kind().isRoute()) {
                var nlri = cursor.nlri();
                text += " %x/%d id=%s"
                        .formatted(
                                nlri.addressLow(),
                                nlri.prefixLength(),
                                nlri.hasPathId() ? Integer.toUnsignedString(nlri.pathId()) : "-");
            }
            texts.add(text);
        }
        return texts;
    }

    private static void assertIsSample(byte[] record) {
        RouteBatch batch = RouteBatch.read(record);
        assertThat(batch.collector()).isEqualTo("col-1");
        assertThat(batch.router()).isEqualTo("röuter");
        assertThat(batch.routerAddress()).isEqualTo("192.0.2.1");
        assertThat(batch.sessionId()).isEqualTo(1_795_211_441_000_000L);
        assertThat(batch.receivedAtMicros()).isEqualTo(1_795_211_441_123_456L);
        assertThat(batch.peerCount()).isEqualTo(2);
        assertThat(batch.peer(0)).isEqualTo(PEER);
        assertThat(batch.peer(1)).isEqualTo(LOC_RIB);
        assertThat(batch.attributeSetCount()).isEqualTo(2);
        assertThat(Arrays.copyOfRange(batch.bytes(), batch.attributesFrom(0), batch.attributesTo(0)))
                .isEqualTo(SET_A);
        assertThat(Arrays.copyOfRange(batch.bytes(), batch.attributesFrom(1), batch.attributesTo(1)))
                .isEqualTo(SET_B);
        assertThat(batch.eventCount()).isEqualTo(10);
        assertThat(texts(batch))
                .containsExactly(
                        "SESSION_UP peer=-1 family=0 sequence=0 time=0 synthetic=false all=false set=-1",
                        "PEER_UP peer=0 family=0 sequence=65536 time=77 synthetic=false all=false set=-1",
                        "WITHDRAW peer=0 family=101 sequence=131072 time=0 synthetic=false all=false set=-1 a000000/8 id=-",
                        "WITHDRAW peer=0 family=101 sequence=131073 time=0 synthetic=false all=false set=-1 c0000200/24 id=-",
                        "ANNOUNCE peer=0 family=101 sequence=131074 time=88 synthetic=false all=false set=0 a000000/8 id=-",
                        "ANNOUNCE peer=0 family=101 sequence=131075 time=88 synthetic=false all=false set=0 c0000200/24 id=-",
                        "ANNOUNCE peer=1 family=101 sequence=196608 time=0 synthetic=true all=false set=1 cb007100/25 id=4294967295",
                        "END_OF_RIB peer=1 family=201 sequence=262144 time=0 synthetic=false all=false set=-1",
                        "PEER_DOWN peer=0 family=0 sequence=327680 time=0 synthetic=false all=true set=-1",
                        "SESSION_DOWN peer=-1 family=0 sequence=393216 time=0 synthetic=false all=false set=-1");
    }

    @Test
    void givenARecordWhenItIsReadThenEverythingThatWasWrittenIsThere() {
        assertIsSample(sample());
    }

    @Test
    void givenACursorThatStoppedAnywhereWhenItIsReusedThenItReturnsTheSameEventsAsANewOne() {
        RouteBatch batch = RouteBatch.read(sample());
        for (int steps = 0; steps <= batch.eventCount() + 1; steps++) {
            RouteCursor stopped = RouteBatch.read(sample()).cursor();
            for (int i = 0; i < steps; i++) {
                stopped.next();
            }
            assertThat(texts(batch, batch.cursor(stopped)))
                    .as("after %d steps", steps)
                    .isEqualTo(texts(batch));
        }
        assertThat(texts(batch, batch.cursor(null))).isEqualTo(texts(batch));
    }

    /** The golden files keep the bytes of version 2: a change of layout needs another version and files of its own. */
    private static byte[] golden(String name) throws IOException {
        try (InputStream golden = RouteBatchTest.class.getResourceAsStream("/wire-format/v2-" + name + ".hex")) {
            return HexFormat.of().parseHex(new String(golden.readAllBytes()).replaceAll("\\s", ""));
        }
    }

    @Test
    void givenTheHashesOfASampleWhenTheyAreAskedForThenTheyAreTheBeginningOfSha256UnlessSet() throws Exception {
        RouteBatch batch = RouteBatch.read(sample());
        byte[] sha256 = MessageDigest.getInstance("SHA-256")
                .digest(Arrays.copyOfRange(batch.bytes(), batch.attributesFrom(0), batch.attributesTo(0)));
        assertThat(batch.hashHigh(0)).isEqualTo(BigEndian.i64(sha256, 0));
        assertThat(batch.hashLow(0)).isEqualTo(BigEndian.i64(sha256, 8));
        batch.setHash(0, 1, 2);
        assertThat(batch.hashHigh(0)).isEqualTo(1);
        assertThat(batch.hashLow(0)).isEqualTo(2);
    }

    @Test
    void givenBuildersThatTakeTurnsWhenTheyReleaseTheirBuffersThenTheirRecordsAreTheSame() {
        byte[] expected = sample();
        RouteBatchBuilder one = new RouteBatchBuilder();
        RouteBatchBuilder other = new RouteBatchBuilder();
        one.begin("c", "r", "a", 1, 2);
        other.begin("c", "r", "a", 1, 2);
        one.attributeSet(SET_A, 0, SET_A.length);
        other.release();
        one.release();
        assertThat(sample()).isEqualTo(expected);
        assertThatThrownBy(() -> one.attributeSet(SET_A, 0, SET_A.length)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void givenAGoldenRecordOfEveryKindOfEventWhenItIsReadAndWrittenThenNothingChanges() throws IOException {
        assertIsSample(golden("events"));
        assertThat(sample()).isEqualTo(golden("events"));
    }

    @Test
    void givenTheExampleInTheSpecificationWhenItIsWrittenThenItHasTheBytesDrawnThere() throws IOException {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin("c1", "r1", "192.0.2.1", 1_795_211_441_000_000L, 1_795_211_441_123_456L);
        int peer = builder.peer(
                new PeerEntry(0, 0, false, 0, 0xC000020BL, 65000, 0x0A00000B, RibView.ADJ_RIB_IN_PRE_POLICY));
        int set = builder.attributeSet(SET_A, 0, SET_A.length);
        builder.group(peer, Family.IPV4_UNICAST).at(2 << 16, 0).announce(set, 2, TWO_PREFIXES, 0, 6);
        assertThat(builder.build()).isEqualTo(golden("example"));
    }

    @Test
    void givenARecordOfAnotherVersionWhenItIsReadThenTheErrorNamesBothVersions() {
        byte[] record = sample();
        record[3] = 3;
        assertThatThrownBy(() -> RouteBatch.read(record))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("unsupported wire format version 3 (this build reads version 2) at offset 3");
    }

    private static byte[] marked() {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin("col-1", "röuter", "192.0.2.1", 1_795_211_441_000_000L, 1_795_211_441_123_456L);
        int peer = builder.peer(PEER);
        int set = builder.attributeSet(SET_A, 0, SET_A.length);
        long[] markings = {
            PathMarking.NONE,
            PathMarking.of(0),
            PathMarking.of(0x8A),
            PathMarking.of(0x8000_0004, 0xFFFF),
            PathMarking.of(4, 0)
        };
        for (int i = 0; i < markings.length; i++) {
            builder.group(peer, Family.IPV4_UNICAST)
                    .at((1 << 16) + 2L * i, 88)
                    .marking(markings[i])
                    .announce(set, 2, TWO_PREFIXES, 0, 6);
        }
        builder.event(EventKind.END_OF_RIB, peer, Family.IPV4_UNICAST, false, 2 << 16, 0);
        return builder.build();
    }

    private static void assertIsMarked(byte[] record) {
        RouteBatch batch = RouteBatch.read(record);
        RouteCursor cursor = batch.cursor();
        List<String> texts = new ArrayList<>();
        while (cursor.next()) {
            long marking = cursor.marking();
            texts.add(cursor.kind() + " " + cursor.sequence() + " "
                    + (PathMarking.isMarked(marking) ? Integer.toHexString(PathMarking.status(marking)) : "-") + " "
                    + (PathMarking.hasReason(marking) ? PathMarking.reason(marking) : "-"));
        }
        assertThat(texts)
                .containsExactly(
                        "ANNOUNCE 65536 - -",
                        "ANNOUNCE 65537 - -",
                        "ANNOUNCE 65538 0 -",
                        "ANNOUNCE 65539 0 -",
                        "ANNOUNCE 65540 8a -",
                        "ANNOUNCE 65541 8a -",
                        "ANNOUNCE 65542 80000004 65535",
                        "ANNOUNCE 65543 80000004 65535",
                        "ANNOUNCE 65544 4 0",
                        "ANNOUNCE 65545 4 0",
                        "END_OF_RIB 131072 - -");
    }

    @Test
    void givenAGoldenRecordWithPathMarkingsWhenItIsReadAndWrittenThenNothingChanges() throws IOException {
        assertIsMarked(golden("path-markings"));
        assertThat(marked()).isEqualTo(golden("path-markings"));
    }

    private static byte[] dumped() {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin("col-1", "röuter", "192.0.2.1", 1_795_211_441_000_000L, 1_795_211_441_123_456L);
        int peer = builder.peer(PEER);
        int set = builder.attributeSet(SET_A, 0, SET_A.length);
        boolean[] dump = {true, false, true};
        for (int i = 0; i < dump.length; i++) {
            builder.tableDump(dump[i]);
            builder.group(peer, Family.IPV4_UNICAST)
                    .at((1 << 16) + 2L * i, 88)
                    .marking(i == 2 ? PathMarking.of(2) : PathMarking.NONE)
                    .announce(set, 2, TWO_PREFIXES, 0, 6);
        }
        builder.group(peer, Family.IPV4_UNICAST).at(2 << 16, 0).withdraw(1, TWO_PREFIXES, 0, 2);
        builder.event(EventKind.END_OF_RIB, peer, Family.IPV4_UNICAST, false, true, 3 << 16, 0);
        builder.event(EventKind.END_OF_RIB, peer, 0, true, true, 4 << 16, 0);
        builder.event(EventKind.COLLECTOR_START, -1, 0, false, 5 << 16, 0);
        return builder.build();
    }

    private static void assertIsDumped(byte[] record) {
        RouteCursor cursor = RouteBatch.read(record).cursor();
        List<String> texts = new ArrayList<>();
        while (cursor.next()) {
            texts.add(cursor.kind() + " " + cursor.sequence() + " " + cursor.peerIndex()
                    + (cursor.isTableDump() ? " dump" : "")
                    + (cursor.synthetic() ? " synthetic" : "") + (cursor.coversAllViews() ? " all" : "")
                    + (PathMarking.isMarked(cursor.marking()) ? " marked" : ""));
        }
        assertThat(texts)
                .containsExactly(
                        "ANNOUNCE 65536 0 dump",
                        "ANNOUNCE 65537 0 dump",
                        "ANNOUNCE 65538 0",
                        "ANNOUNCE 65539 0",
                        "ANNOUNCE 65540 0 dump marked",
                        "ANNOUNCE 65541 0 dump marked",
                        "WITHDRAW 131072 0",
                        "END_OF_RIB 196608 0 synthetic",
                        "END_OF_RIB 262144 0 synthetic all",
                        "COLLECTOR_START 327680 -1");
    }

    @Test
    void givenAGoldenRecordWithTableDumpsWhenItIsReadAndWrittenThenNothingChanges() throws IOException {
        assertIsDumped(golden("table-dump"));
        assertThat(dumped()).isEqualTo(golden("table-dump"));
    }

    @Test
    void givenATruncatedRecordWhenItIsReadThenTheErrorHasAnOffsetWithinIt() {
        cut(sample());
        cut(marked());
        cut(dumped());
    }

    private static void cut(byte[] record) {
        for (int length = 0; length < record.length; length++) {
            byte[] cut = Arrays.copyOf(record, length);
            assertThatThrownBy(() -> RouteBatch.read(cut))
                    .isInstanceOfSatisfying(
                            WireFormatException.class,
                            e -> assertThat(e.offset()).isBetween(0, cut.length));
        }
    }

    @Test
    void givenOneFlippedBitAnywhereWhenTheRecordIsReadThenItIsRejected() {
        flip(sample());
        flip(marked());
        flip(dumped());
    }

    private static void flip(byte[] record) {
        for (int bit = 0; bit < record.length * 8; bit++) {
            byte[] broken = record.clone();
            broken[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> RouteBatch.read(broken)).isInstanceOf(WireFormatException.class);
        }
    }

    @Test
    void givenDamageUnderAValidChecksumWhenTheRecordIsReadThenOnlyAWireFormatExceptionCanFollow() {
        damage(sample());
        damage(marked());
        damage(dumped());
    }

    private static void damage(byte[] record) {
        Random random = new Random(20_261_121);
        for (int i = 0; i < 50_000; i++) {
            byte[] broken = record.clone();
            for (int damages = random.nextInt(3); damages >= 0; damages--) {
                broken[WireFormat.LENGTH + random.nextInt(broken.length - 8)] = (byte) random.nextInt();
            }
            RouteBatch.INT.set(broken, WireFormat.CRC, RouteBatch.checksum(broken, broken.length));
            try {
                texts(RouteBatch.read(broken));
            } catch (WireFormatException e) {
                assertThat(e.offset()).isBetween(0, broken.length);
            }
        }
    }

    @Test
    void givenManyAttributeSetsWhenTheyAreInternedThenEachIsStoredOnce() {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin("c", "r", "a", 1, 1);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3000; i++) {
                byte[] set = {0x50, 4, 0, 2, (byte) (i >> 8), (byte) i};
                assertThat(builder.attributeSet(set, 0, set.length)).isEqualTo(i);
            }
        }
        builder.event(EventKind.SESSION_UP, -1, 0, false, 0, 0);
        RouteBatch batch = RouteBatch.read(builder.build());
        assertThat(batch.attributeSetCount()).isEqualTo(3000);
        assertThat(batch.bytes()[batch.attributesTo(2999) - 1]).isEqualTo((byte) 2999);
    }

    @Test
    void givenARecordWhenItIsDividedThenThePartsHaveItsEventsAndOnlyTheSetsAndPeersThatTheyNeed() {
        for (byte[] record : List.of(sample(), marked(), dumped())) {
            RouteBatch batch = RouteBatch.read(record);
            List<String> all = contents(batch);
            for (int from = 0; from < batch.eventCount(); from++) {
                for (int to = from + 1; to <= batch.eventCount(); to++) {
                    RouteBatch part = RouteBatch.read(batch.part(from, to));
                    assertThat(contents(part)).isEqualTo(all.subList(from, to));
                    assertThat(part.router()).isEqualTo(batch.router());
                }
            }
        }
        RouteBatch one = RouteBatch.read(RouteBatch.read(sample()).part(6, 7));
        assertThat(one.attributeSetCount()).isEqualTo(1);
        assertThat(one.peer(0)).isEqualTo(LOC_RIB);
        assertThat(RouteBatch.peekRouter(sample())).isEqualTo("röuter");
        assertThat(RouteBatch.peekRouter(Arrays.copyOf(sample(), 60))).isNull();
    }

    /** Each event with what it refers to, whatever the number of that in its record. */
    private static List<String> contents(RouteBatch batch) {
        List<String> contents = new ArrayList<>();
        RouteCursor event = batch.cursor();
        while (event.next()) {
            StringBuilder text = new StringBuilder().append(event.kind()).append(event.groupFlags());
            text.append(event.sequence())
                    .append(' ')
                    .append(event.routerTimeMicros())
                    .append(event.marking());
            text.append(event.peerIndex() < 0 ? "" : batch.peer(event.peerIndex()));
            if (event.attributeSet() >= 0) {
                int set = event.attributeSet();
                text.append(
                        HexFormat.of().formatHex(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set)));
                text.append(batch.hashHigh(set)).append(batch.hashLow(set));
            }
            if (event.kind().isRoute()) {
                text.append(HexFormat.of()
                        .formatHex(
                                batch.bytes(), event.nlriStart(), event.nlri().to()));
            }
            contents.add(text.toString());
        }
        return contents;
    }

    @Test
    void givenARecordWhenItIsMarkedAsRedecodedThenNothingElseChanges() {
        byte[] sample = sample();
        RouteBatch marked = RouteBatch.read(RouteBatch.asRedecoded(sample));
        assertThat(RouteBatch.read(sample).redecoded()).isFalse();
        assertThat(marked.redecoded()).isTrue();
        assertThat(marked.eventCount()).isEqualTo(RouteBatch.read(sample).eventCount());
        assertThat(RouteBatch.asRedecoded(marked.bytes())).isEqualTo(marked.bytes());
    }
}
