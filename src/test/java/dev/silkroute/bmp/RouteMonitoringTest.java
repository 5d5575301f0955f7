package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Route Monitoring in both versions, and with every numbering of TLVs of version 4. */
class RouteMonitoringTest {
    private static final PeerHeader PEER = new PeerHeader(0, 0, 0, 0, 0xC000_0201L, 65001, 1, 0);

    /** An UPDATE that announces 10.0.0.0/8, 192.0.2.0/24 and 0.0.0.0/0; only its NLRI matter here. */
    private static final String UPDATE = "ff".repeat(16) + "001e" + "02" + "0000" + "0000" + "080a" + "18c00002" + "00";

    private final RouteMonitoring message = new RouteMonitoring();

    /** A message of version 4 whose body is in hex. */
    private static byte[] message(String body) {
        ByteSink sink = new ByteSink();
        int start = BmpEncoder.begin(BmpMessages.VERSION_4, MessageType.ROUTE_MONITORING, PEER, sink);
        sink.bytes(Bytes.ofHex(body.replace(" ", "")));
        BmpEncoder.end(start, sink);
        return sink.toByteArray();
    }

    private static String tlv(int type, int index, String value) {
        return "%04x%04x%04x%s".formatted(type, value.length() / 2, index, value);
    }

    private String update(byte[] b) {
        return Bytes.copyOf(b, message.updateFrom(), message.updateTo()).hex();
    }

    private List<String> markings(byte[] b, int nlri) {
        PathMarkings markings = new PathMarkings();
        markings.read(message, b, nlri);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nlri; i++) {
            long marking = markings.of(i);
            texts.add(
                    !PathMarking.isMarked(marking)
                            ? "-"
                            : PathMarking.statusTexts(PathMarking.status(marking)) + ""
                                    + (PathMarking.hasReason(marking) ? PathMarking.reason(marking) : ""));
        }
        return texts;
    }

    @Test
    void inVersion3TheUpdateIsTheBody() {
        // Given
        ByteSink sink = new ByteSink();
        sink.u8(0);
        byte[] update = Bytes.ofHex(UPDATE).toArray();
        BmpEncoder.routeMonitoring(PEER, update, 0, update.length, sink);

        // When
        message.read(sink.toByteArray(), 1, sink.position());

        // Then
        assertThat(update(sink.toByteArray())).isEqualTo(UPDATE);
        assertThat(message.tlvs().next()).isFalse();
        assertThat(message.marked()).isFalse();
        assertThat(message.stateless()).isFalse();
    }

    /** As routers send it today, byte by byte. */
    @Test
    void inVersion4TheUpdateIsInATlv() {
        // Given
        byte[] b = message("0002 0004 8001 0001 0003"
                + "0003 0003 0000 726564"
                + ("0004 001e 0000" + UPDATE)
                + "0005 0004 8001 0000008a"
                + "0005 0006 0002 00000004 0003");

        // When
        message.read(b, 0, b.length);

        // Then
        assertThat(message.revision()).isEqualTo(TlvRevision.DRAFT_19);
        assertThat(update(b)).isEqualTo(UPDATE);
        assertThat(message.tableName()).hasValue("red");
        assertThat(markings(b, 3))
                .containsExactly("[best, primary, add-path]", "[non-selected]3", "[best, primary, add-path]");
        assertThat(message.unknown()).isZero();
        assertThat(message.invalid()).isZero();
    }

    @Test
    void theUpdateIsFoundAtEveryPosition() {
        byte[] b = message(tlv(5, 0, "00000002") + tlv(4, 0, UPDATE) + tlv(3, 0, "72"));
        message.read(b, 0, b.length);
        assertThat(update(b)).isEqualTo(UPDATE);
        assertThat(markings(b, 3)).containsOnly("[best]");
    }

    @ParameterizedTest
    @EnumSource(TlvRevision.class)
    void everyNumberingIsDetected(TlvRevision revision) {
        // Given
        byte[] update = Bytes.ofHex(UPDATE).toArray();
        byte[] name = {'r', 'e', 'd'};
        byte[] capability = Bytes.ofHex("4504" + "0001" + "01" + "03").toArray();
        ByteSink sink = new ByteSink();
        int start = BmpEncoder.begin(BmpMessages.VERSION_4, MessageType.ROUTE_MONITORING, PEER, sink);
        Version4Encoder.group(revision, 7, new int[] {1, 2}, sink);
        Version4Encoder.indexedTlv(revision.code(RouteMonitoringTlv.TABLE_NAME), 0, name, 0, 3, sink);
        Version4Encoder.indexedTlv(revision.code(RouteMonitoringTlv.STATELESS_PARSING), 0, capability, 0, 6, sink);
        Version4Encoder.bgpMessage(revision, update, 0, update.length, sink);
        boolean marks = revision.code(RouteMonitoringTlv.PATH_MARKING) != 0;
        if (marks) {
            Version4Encoder.pathMarking(revision, 7 | IndexedTlvs.GROUP_BIT, PathMarking.of(2, 5), sink);
        }
        BmpEncoder.end(start, sink);
        byte[] b = sink.toByteArray();

        // When
        message.read(b, 0, b.length);

        // Then
        assertThat(message.revision()).isEqualTo(revision);
        assertThat(update(b)).isEqualTo(UPDATE);
        assertThat(message.tableName()).hasValue("red");
        assertThat(message.addPath(RibView.LOC_RIB)).isEqualTo(AddPathFamilies.of(Family.IPV4_UNICAST));
        assertThat(markings(b, 3)).containsExactly(marks ? "[best]5" : "-", marks ? "[best]5" : "-", "-");
        assertThat(message.invalid()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        // sequence number, extended flags and timestamp: only with these can draft -21 be distinguished from -19
        "4, 5, 0000000000000009, SEQUENCE_NUMBER, DRAFT_21",
        "4, 6, 80, EXTENDED_FLAGS, DRAFT_21",
        "4, 7, 016913674c000f1360, TIMESTAMP, DRAFT_21",
        "7, 1, 0000000000000009, SEQUENCE_NUMBER, DRAFT_20",
        "7, 2, 80, EXTENDED_FLAGS, DRAFT_20",
        "7, 3, 016913674c000f1360, TIMESTAMP, DRAFT_20",
        "4, 9, 00, UNKNOWN, DRAFT_19",
        "4, 32767, '', UNKNOWN, DRAFT_19",
    })
    void otherTlvsAreRecognizedByTheirForm(
            int bgpMessage, int type, String value, RouteMonitoringTlv kind, TlvRevision revision) {
        // Given
        byte[] b = message(tlv(bgpMessage, 0, UPDATE) + tlv(type, 0, value));

        // When
        message.read(b, 0, b.length);
        message.tlvs().rewind();

        // Then
        assertThat(message.revision()).isEqualTo(revision);
        assertThat(message.tlvs().next() && message.tlvs().next()).isTrue();
        assertThat(message.tlvs().kind()).isEqualTo(kind);
        assertThat(message.tlvs().type()).isEqualTo(type);
        assertThat(Bytes.copyOf(b, message.tlvs().valueFrom(), message.tlvs().valueTo())
                        .hex())
                .isEqualTo(value);
        assertThat(message.tlvs().next()).isFalse();
    }

    @Test
    void vendorTlvsAreUnknown() {
        // Given: type 5 of enterprise 9, which is not a path marking
        byte[] b = message(tlv(0x8005, 1, "00000009" + "00000002") + tlv(4, 0, UPDATE));

        // When
        message.read(b, 0, b.length);
        message.tlvs().rewind();

        // Then
        assertThat(message.unknown()).isEqualTo(1);
        assertThat(message.marked()).isFalse();
        assertThat(message.tlvs().next()).isTrue();
        assertThat(message.tlvs().type()).isEqualTo(0x8005);
        assertThat(message.tlvs().index()).isEqualTo(1);
        assertThat(Bytes.copyOf(b, message.tlvs().valueFrom(), message.tlvs().valueTo())
                        .hex())
                .isEqualTo("0000000900000002");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 0x8001, 000102", // odd length
        "2, 0x0001, 00010002", // no group bit
        "3, 0, ''",
        "3, 0, 0a",
        "1, 0, 4505000101",
        "1, 1, 4100",
        "5, 0, 000002",
        "5, 0, 20000002",
    })
    void invalidTlvsAreIgnoredAndCounted(int type, int index, String value) {
        byte[] b = message(tlv(type, index, value) + tlv(4, 0, UPDATE));
        message.read(b, 0, b.length);
        assertThat(message.invalid()).isEqualTo(1);
        assertThat(message.marked()).isFalse();
        assertThat(message.stateless()).isFalse();
        assertThat(message.tableName()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', no BGP Message TLV",
        "000300010000 72, no BGP Message TLV",
        "000400050000 ffffffffff, no BGP Message TLV",
        "0004, message ends within a TLV header",
        "000400100000 ff, TLV of 16 bytes extends past the end of the message",
    })
    void withoutAnUpdateTheMessageIsRejected(String body, String reason) {
        byte[] b = message(body);
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> message.read(b, 0, b.length))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void twoUpdatesAreRejected() {
        byte[] b = message(tlv(4, 0, UPDATE) + tlv(4, 0, UPDATE));
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> message.read(b, 0, b.length))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("second BGP Message TLV"));
    }

    /** A router that sends version 4 in the header and the body of version 3. */
    @Test
    void aBodyOfVersion3InVersion4IsRejected() {
        byte[] b = message(UPDATE);
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> message.read(b, 0, b.length))
                .satisfies(e -> assertThat(e.offset()).isEqualTo(BmpMessages.PEER_BODY));
    }

    @Test
    void everyTruncationIsRejectedOrReadable() {
        byte[] b = message(
                tlv(2, 0x8001, "00010002") + tlv(1, 0, "4100") + tlv(4, 0, UPDATE) + tlv(5, 0x8001, "00000002"));
        for (int length = BmpMessages.COMMON_HEADER_LENGTH; length < b.length; length++) {
            byte[] cut = Arrays.copyOf(b, length);
            try {
                message.read(cut, 0, length);
                assertThat(update(cut)).isEqualTo(UPDATE);
                assertThat(markings(cut, 3)).hasSize(3);
            } catch (DecodeException e) {
                assertThat(e.offset()).as("cut to %d", length).isBetween(0, length);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // mode 1 receive, 2 send, 3 both; 0 and 4 are invalid
        "4504000101" + "01, ADJ_RIB_IN_PRE_POLICY, true",
        "4504000101" + "01, ADJ_RIB_OUT_PRE_POLICY, false",
        "4504000101" + "02, ADJ_RIB_IN_POST_POLICY, false",
        "4504000101" + "02, ADJ_RIB_OUT_POST_POLICY, true",
        "4504000101" + "03, ADJ_RIB_IN_PRE_POLICY, true",
        "4504000101" + "02, LOC_RIB, true",
        "4504000101" + "00, LOC_RIB, false",
        "4504000101" + "04, LOC_RIB, false",
        "4500, LOC_RIB, false",
    })
    void theMessageItselfStatesWhetherItHasPathIdentifiers(String capability, RibView view, boolean has) {
        byte[] b = message(tlv(1, 0, capability) + tlv(4, 0, UPDATE));
        message.read(b, 0, b.length);
        assertThat(message.stateless()).isTrue();
        assertThat(message.statesAddPath()).isTrue();
        assertThat(message.statesFourOctetAs()).isFalse();
        assertThat(message.addPath(view).contains(Family.IPV4_UNICAST)).isEqualTo(has);
    }

    @Test
    void theMessageItselfStatesHowLongAsNumbersAre() {
        byte[] b = message(tlv(1, 0, "4104" + "0000fde9") + tlv(4, 0, UPDATE));
        message.read(b, 0, b.length);
        assertThat(message.statesFourOctetAs()).isTrue();
        assertThat(message.statesAddPath()).isFalse();
    }

    @Test
    void markingsOfMissingNlriAreIgnoredAndCounted() {
        // Given: NLRI 4 of 3, group 0x8002 that does not exist, group 0x8001 with NLRI 0 and 9 beside 2
        byte[] b = message(tlv(2, 0x8001, "000000020009")
                + tlv(4, 0, UPDATE)
                + tlv(5, 4, "00000001")
                + tlv(5, 0x8002, "00000001")
                + tlv(5, 0x8001, "00000002"));
        message.read(b, 0, b.length);

        // When
        PathMarkings markings = new PathMarkings();
        markings.read(message, b, 3);

        // Then
        assertThat(markings.ignored()).isEqualTo(4);
        assertThat(markings(b, 3)).containsExactly("-", "[best]", "-");
    }

    @Test
    void groupsDoNotCarryOverToTheNextMessage() {
        // Given
        PathMarkings markings = new PathMarkings();
        byte[] grouped = message(tlv(2, 0x8001, "00010002") + tlv(4, 0, UPDATE) + tlv(5, 0x8001, "00000002"));
        byte[] ungrouped = message(tlv(4, 0, UPDATE) + tlv(5, 0x8001, "00000002"));
        message.read(grouped, 0, grouped.length);
        markings.read(message, grouped, 3);

        // When
        message.read(ungrouped, 0, ungrouped.length);
        markings.read(message, ungrouped, 3);

        // Then
        assertThat(markings.ignored()).isEqualTo(1);
        assertThat(markings.of(0)).isEqualTo(PathMarking.NONE);
    }

    /** One group of all NLRI and ten thousand markings of it would be hundreds of millions of steps. */
    @Test
    void theCostOfRepeatedMarkingsIsBounded() {
        // Given
        byte[] update = Bytes.ofHex(UPDATE).toArray();
        int[] all = new int[32_000];
        Arrays.setAll(all, i -> 1 + i % 3);
        ByteSink sink = new ByteSink();
        int start = BmpEncoder.begin(BmpMessages.VERSION_4, MessageType.ROUTE_MONITORING, PEER, sink);
        Version4Encoder.group(TlvRevision.DRAFT_19, 1, all, sink);
        Version4Encoder.bgpMessage(TlvRevision.DRAFT_19, update, 0, update.length, sink);
        for (int i = 0; i < 10_000; i++) {
            Version4Encoder.pathMarking(TlvRevision.DRAFT_19, 0x8001, PathMarking.of(2), sink);
        }
        BmpEncoder.end(start, sink);
        byte[] b = sink.toByteArray();
        message.read(b, 0, b.length);

        // When
        PathMarkings markings = new PathMarkings();
        markings.read(message, b, 3);

        // Then
        assertThat(markings.of(2)).isEqualTo(PathMarking.of(2));
        assertThat(markings.ignored()).isPositive();
        assertThat(markings.steps()).isLessThanOrEqualTo(400_000);
    }
}
