package dev.silkroute.session;

import static dev.silkroute.session.Messages.ATTRIBUTES;
import static dev.silkroute.session.Messages.routes;
import static dev.silkroute.session.Messages.tlv;
import static dev.silkroute.session.Messages.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.identity.RouterIdentifier;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sessions whose messages are of BMP version 4, some or all. */
class Version4Test {
    private static final String THREE = "080a" + "18c00002" + "00";

    private static Messages version4() {
        return new Messages(Messages.VERSION_4);
    }

    @Test
    void givenASessionOfVersion4ThenItsEventsAreThoseOfVersion3() {
        String update = update("080b", ATTRIBUTES, THREE);
        DecodedBatch old = new Messages(3)
                .initiation(new Tlv(2, Bytes.ofHex("72")))
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, update)
                .peerDown("04")
                .decode();
        DecodedBatch young = version4()
                .initiation(new Tlv(2, Bytes.ofHex("72")))
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, tlv(4, 0, update))
                .peerDown("04")
                .decode();
        byte[] initiation = version4().initiation(new Tlv(2, Bytes.ofHex("72"))).bytes();
        assertThat(RouterIdentifier.identify(InetAddress.getLoopbackAddress(), initiation)
                        .name())
                .isEqualTo("r");
        assertThat(young.routes()).isEqualTo(old.routes());
        assertThat(ParsedRecords.of(young, LaneName.PEERS)).isEqualTo(ParsedRecords.of(old, LaneName.PEERS));
        assertThat(ParsedRecords.of(young, LaneName.QUARANTINE)).isEmpty();
    }

    @Test
    void givenDifferentMarkingsInOneMessageThenEachRouteHasItsOwnInTheSameOrder() {
        // NLRI are numbered by their position in the message: 11/8 withdrawn is the first one.
        DecodedBatch decoded = version4()
                .peerUp("")
                .add(
                        MessageType.ROUTE_MONITORING,
                        tlv(2, 0x8001, "00020003")
                                + tlv(4, 0, update("080b", ATTRIBUTES, THREE))
                                + tlv(5, 0x8001, "00000002")
                                + tlv(5, 4, "000000040004")
                                + tlv(5, 1, "00000001"))
                .decode();
        assertThat(routes(decoded))
                .containsExactly(
                        "- 11.0.0.0/8", "+ 10.0.0.0/8 [best]", "+ 192.0.2.0/24 [best]", "+ 0.0.0.0/0 [non-selected] 4");
        List<Long> sequences = new ArrayList<>();
        RouteCursor cursor = RouteBatch.read(decoded.routes()).cursor();
        while (cursor.next()) {
            sequences.add(cursor.sequence());
        }
        assertThat(sequences).containsExactly(0L, 0L, 65536L, 65537L, 65538L, 65539L);
    }

    @Test
    void givenAsManyRunsOfMarkingsAsABatchCanHoldThenTheNextIsCountedAsIgnored() {
        // Given: every other one of 16,384 routes is marked, so that markings change 16,384 times
        StringBuilder group = new StringBuilder();
        for (int i = 1; i <= 16_384; i += 2) {
            group.append("%04x".formatted(i));
        }
        String half = tlv(4, 0, update("", ATTRIBUTES, "080a".repeat(16_384)))
                + tlv(2, 0x8001, group.toString())
                + tlv(5, 0x8001, "00000002");
        String one = tlv(4, 0, update("", ATTRIBUTES, "080b")) + tlv(5, 1, "00000002");

        // When
        DecodedBatch full = version4()
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, half)
                .add(MessageType.ROUTE_MONITORING, half)
                .decode();
        DecodedBatch more = version4()
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, half)
                .add(MessageType.ROUTE_MONITORING, half)
                .add(MessageType.ROUTE_MONITORING, one)
                .decode();

        // Then
        assertThat(routes(full))
                .hasSize(32_768)
                .filteredOn("+ 10.0.0.0/8 [best]"::equals)
                .hasSize(16_384);
        assertThat(full.anomalies(Anomaly.IGNORED_TLV)).isZero();
        assertThat(routes(more))
                .hasSize(32_769)
                .endsWith("+ 11.0.0.0/8")
                .filteredOn("+ 10.0.0.0/8 [best]"::equals)
                .hasSize(16_384);
        assertThat(more.anomalies(Anomaly.IGNORED_TLV)).isEqualTo(1);
    }

    @Test
    void givenMultiprotocolRoutesThenTheyAreNumberedByThePositionOfTheirAttribute() {
        // MP_REACH_NLRI with 172.16.0.0/12 precedes the NLRI field, and its section is decoded after it.
        String reach = "800e0d" + "0001" + "01" + "04" + "c0000201" + "00" + "0cac10" + "00";
        DecodedBatch decoded = version4()
                .peerUp("")
                .add(
                        MessageType.ROUTE_MONITORING,
                        tlv(4, 0, update("", ATTRIBUTES + reach, "080a"))
                                + tlv(5, 1, "00000002")
                                + tlv(5, 2, "00000004")
                                + tlv(5, 3, "00000008"))
                .decode();
        assertThat(routes(decoded))
                .containsExactly("+ 10.0.0.0/8 [primary]", "+ 172.16.0.0/12 [best]", "+ 0.0.0.0/0 [non-selected]");
    }

    @Test
    void givenAMessageThatStatesPathIdentifiersThenTheyAreRead() {
        String withPathId = update("", ATTRIBUTES, "00000007" + "080a");
        DecodedBatch decoded = version4()
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, tlv(1, 0, "4504" + "0001" + "01" + "03") + tlv(4, 0, withPathId))
                .decode();
        assertThat(routes(decoded)).containsExactly("+ 10.0.0.0/8 7");
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
    }

    @Test
    void givenAMessageThatStatesNoPathIdentifiersThenThePeerUpDoesNotCount() {
        DecodedBatch decoded = version4()
                .peerUp("4504" + "0001" + "01" + "03")
                .add(
                        MessageType.ROUTE_MONITORING,
                        tlv(1, 0, "4504" + "0001" + "01" + "00") + tlv(4, 0, update("", ATTRIBUTES, "080a")))
                .add(MessageType.ROUTE_MONITORING, tlv(4, 0, update("", ATTRIBUTES, "00000009" + "080a")))
                .decode();
        assertThat(routes(decoded)).containsExactly("+ 10.0.0.0/8", "+ 10.0.0.0/8 9");
    }

    @Test
    void givenMalformedMessagesThenEachIsQuarantinedAndTheSessionContinues() {
        String update = update("", ATTRIBUTES, "080a");
        DecodedBatch decoded = version4()
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, update)
                .add(MessageType.ROUTE_MONITORING, tlv(3, 0, "72"))
                .add(MessageType.ROUTE_MONITORING, "00")
                .add(MessageType.STATISTICS_REPORT, "00010004" + "00000001")
                .add(MessageType.ROUTE_MONITORING, tlv(4, 0, update))
                .decode();
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE))
                .extracting(record -> record.get("section"))
                .containsExactly(
                        "draft-ietf-grow-bmp-tlv, Section 5.2",
                        "draft-ietf-grow-bmp-tlv, Section 5.2",
                        "draft-ietf-grow-bmp-tlv, Section 5.2",
                        "RFC 7854, Section 4.8");
        assertThat(routes(decoded)).containsExactly("+ 10.0.0.0/8");
    }

    @Test
    void givenAlternatingVersionsThenEachMessageIsDecodedByItsOwn() {
        String update = update("", ATTRIBUTES, "080a");
        ByteSink both = new ByteSink();
        byte[] old = new Messages(3)
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, update)
                .bytes();
        byte[] young = version4()
                .add(MessageType.ROUTE_MONITORING, tlv(4, 0, update) + tlv(5, 0, "00000002"))
                .bytes();
        both.bytes(old, 0, old.length).bytes(young, 0, young.length).bytes(old, 0, old.length);
        DecodedBatch decoded = Messages.session().decode(both.toByteArray(), 0, 1, null);
        assertThat(routes(decoded)).containsExactly("+ 10.0.0.0/8", "+ 10.0.0.0/8 [best]", "+ 10.0.0.0/8");
    }

    @Test
    void givenUnknownTlvsThenTheyAreCountedAndTheRouteIsDecoded() {
        DecodedBatch decoded = version4()
                .peerUp("")
                .add(
                        MessageType.ROUTE_MONITORING,
                        tlv(99, 0, "aa")
                                + tlv(0x8001, 0, "00000009")
                                + tlv(4, 0, update("", ATTRIBUTES, "080a"))
                                + tlv(2, 0, "00")
                                + tlv(5, 7, "00000002"))
                .decode();
        assertThat(routes(decoded)).containsExactly("+ 10.0.0.0/8");
        assertThat(decoded.anomalies(Anomaly.UNKNOWN_TLV)).isEqualTo(2);
        assertThat(decoded.anomalies(Anomaly.IGNORED_TLV)).isEqualTo(2);
    }

    @Test
    void givenVendorsTlvsInOtherMessagesThenTheyAreInTheRecords() {
        DecodedBatch decoded = version4()
                .initiation(new Tlv(2, Bytes.ofHex("72")), new Tlv(7, 9L, Bytes.ofHex("aabb")))
                .peerUp("")
                .add(MessageType.STATISTICS_REPORT, "00000001" + "8007" + "0008" + "00000009" + "00000006")
                .peerDown("06" + "0003" + "0003" + "726564" + "8007" + "0004" + "00000009")
                .decode();
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS).get(1).get("tlvs"))
                .isEqualTo(List.of(Map.of("type", 7, "enterprise", 9, "value", "aabb")));
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS).getLast())
                .containsEntry("table_name", "red")
                .containsEntry("tlvs", List.of(Map.of("type", 7, "enterprise", 9, "value", "")));
        assertThat((List<?>)
                        ParsedRecords.of(decoded, LaneName.STATS).getFirst().get("statistics"))
                .singleElement()
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry("enterprise", 9)
                .containsEntry("value", "6");
    }
}
