package dev.silkroute.session;

import static dev.silkroute.session.Messages.ATTRIBUTES;
import static dev.silkroute.session.Messages.MARKER;
import static dev.silkroute.session.Messages.routes;
import static dev.silkroute.session.Messages.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.bmp.TlvType;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.Bytes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Unexpected behaviour of real routers: nothing is lost, and each case is counted and reported. */
class AnomalyTest {
    private static final String UPDATE = update("", ATTRIBUTES, "080a");

    private static Messages messages() {
        return new Messages(3);
    }

    private static Map<String, Object> last(DecodedBatch decoded) {
        return ParsedRecords.of(decoded, LaneName.PEERS).getLast();
    }

    private static List<Object> events(DecodedBatch decoded) {
        return ParsedRecords.of(decoded, LaneName.PEERS).stream()
                .map(record -> record.get("event"))
                .toList();
    }

    @Test
    void onlyTheFirstInitiationIsRecordedAndTheFirstWithTlvs() {
        Tlv first = new Tlv(TlvType.SYS_NAME.code(), Bytes.ofHex("61"));
        Tlv second = new Tlv(TlvType.SYS_NAME.code(), Bytes.ofHex("62"));
        DecodedBatch decoded = messages()
                .initiation()
                .initiation()
                .initiation(first)
                .initiation(second)
                .initiation()
                .decode();
        assertThat(events(decoded)).containsExactly("session-up", "initiation", "initiation");
        assertThat(last(decoded)).containsEntry("sys_name", "a");
        assertThat(decoded.anomalies(Anomaly.REPEATED_INITIATION)).isEqualTo(3);
    }

    @Test
    void aRepeatedPeerUpKeepsTheRoutes() {
        DecodedBatch decoded = messages()
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, UPDATE)
                .peerUp("")
                .decode();
        assertThat(decoded.anomalies(Anomaly.REPEATED_PEER_UP)).isEqualTo(1);
        assertThat(last(decoded)).containsEntry("event", "peer-up").containsEntry("repeated", true);
        assertThat(ParsedRecords.of(decoded, LaneName.PEERS).get(1)).doesNotContainKey("repeated");
        assertThat(routes(decoded)).containsExactly("+ 10.0.0.0/8");
    }

    @Test
    void aDuplicatePeerDownIsReportedAndCounted() {
        DecodedBatch decoded = messages()
                .peerUp("")
                .peerDown("04")
                .peerDown("04")
                .peerDown("04")
                .decode();
        assertThat(decoded.anomalies(Anomaly.REPEATED_PEER_DOWN)).isEqualTo(2);
        assertThat(decoded.anomalies(Anomaly.PEER_DOWN_WITHOUT_PEER_UP)).isZero();
        assertThat(last(decoded)).containsEntry("known", false).containsEntry("repeated", true);
        assertThat(decoded.events()).as("session up, peer up, peer down").isEqualTo(3);
    }

    @Test
    void aPeerDownAfterANewPeerUpIsNotADuplicate() {
        DecodedBatch decoded =
                messages().peerUp("").peerDown("04").peerUp("").peerDown("04").decode();
        assertThat(decoded.anomalies(Anomaly.REPEATED_PEER_DOWN)).isZero();
        assertThat(decoded.anomalies(Anomaly.REPEATED_PEER_UP)).isZero();
        assertThat(last(decoded)).containsEntry("known", true);
    }

    /** FRRouting sends this, with BGP identifier 0.0.0.0. */
    @Test
    void aPeerDownOfAPeerThatNeverCameUpIsReportedAndCounted() {
        PeerHeader nobody = new PeerHeader(0, 0, 0, 0, 0xC000_0209L, 65009, 0, 0);
        DecodedBatch decoded = messages()
                .peerUp("")
                .add(MessageType.PEER_DOWN, nobody, "02" + "0000")
                .decode();
        assertThat(decoded.anomalies(Anomaly.PEER_DOWN_WITHOUT_PEER_UP)).isEqualTo(1);
        assertThat(decoded.anomalies(Anomaly.REPEATED_PEER_DOWN)).isZero();
        assertThat(last(decoded)).containsEntry("known", false).doesNotContainKey("router_time");
        assertThat(decoded.events()).as("session up, peer up").isEqualTo(2);
    }

    @Test
    void routesWithoutPeerUpAreKeptAndThePeerIsReportedOnce() {
        BmpSession session = Messages.session();
        byte[] routes = messages()
                .add(MessageType.ROUTE_MONITORING, UPDATE)
                .add(MessageType.ROUTE_MONITORING, UPDATE)
                .bytes();
        DecodedBatch first = session.decode(routes, 0, 1, null);
        DecodedBatch second = session.decode(routes, 2, 1, null);
        assertThat(routes(first)).hasSize(2);
        assertThat(first.anomalies(Anomaly.ROUTES_WITHOUT_PEER_UP)).isEqualTo(2);
        assertThat(events(first)).containsExactly("session-up", "peer-unannounced");
        assertThat(last(first)).containsEntry("peer_address", "192.0.2.1");
        assertThat(second.anomalies(Anomaly.ROUTES_WITHOUT_PEER_UP)).isEqualTo(2);
        assertThat(events(second)).isEmpty();
    }

    @Test
    void aPeerDownAfterRoutesWithoutPeerUpEndsThePeerAndIsCounted() {
        DecodedBatch decoded = messages()
                .add(MessageType.ROUTE_MONITORING, UPDATE)
                .peerDown("04")
                .decode();
        assertThat(decoded.anomalies(Anomaly.PEER_DOWN_WITHOUT_PEER_UP)).isEqualTo(1);
        assertThat(decoded.events()).as("session up, route, peer down").isEqualTo(3);
    }

    @Test
    void aRegularSessionHasNoAnomalies() {
        DecodedBatch decoded = messages()
                .peerUp("")
                .add(MessageType.ROUTE_MONITORING, UPDATE)
                .peerDown("04")
                .decode();
        for (Anomaly anomaly : Anomaly.values()) {
            assertThat(decoded.anomalies(anomaly)).as(anomaly.text()).isZero();
        }
    }

    @Test
    void anInvalidTimeIsAbsentAndCounted() {
        // Given: a million microseconds
        byte[] b = messages().peerUp("").bytes();
        b[6 + 38 + 1] = 0x0f;
        b[6 + 38 + 2] = 0x42;
        b[6 + 38 + 3] = 0x40;

        // When
        DecodedBatch decoded = Messages.session().decode(b, 0, 1, null);

        // Then
        assertThat(decoded.anomalies(Anomaly.INVALID_ROUTER_TIME)).isEqualTo(1);
        assertThat(last(decoded)).containsEntry("event", "peer-up").doesNotContainKey("router_time");
    }

    @Test
    void aTimeFarInThePastIsKept() {
        PeerHeader late = new PeerHeader(0, 0, 0, 0, 1, 65001, 1, 4294967295L * 1_000_000 + 999_999);
        DecodedBatch decoded =
                messages().add(MessageType.ROUTE_MONITORING, late, UPDATE).decode();
        assertThat(last(decoded)).containsEntry("router_time", "2106-02-07T06:28:15.999999Z");
    }

    @Test
    void anUnknownPeerTypeIsAccepted() {
        PeerHeader strange = new PeerHeader(200, 0x0F, 5, 0, 0xC000_0201L, 65001, 1, 0);
        DecodedBatch decoded =
                messages().add(MessageType.ROUTE_MONITORING, strange, UPDATE).decode();
        assertThat(routes(decoded)).containsExactly("+ 10.0.0.0/8");
        assertThat(last(decoded)).containsEntry("peer_type", "type-200");
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
    }

    @Test
    void theLocRibsFirstFlagMeansThatItIsFiltered() {
        PeerHeader filtered = new PeerHeader(3, 0x80, 0, 0, 0, 65001, 1, 0);
        DecodedBatch decoded =
                messages().add(MessageType.PEER_DOWN, filtered, "04").decode();
        assertThat(last(decoded))
                .containsEntry("filtered", true)
                .containsEntry("rib_view", "loc-rib")
                .containsEntry("peer_address", "0.0.0.0");
    }

    @Test
    void theReasonOfAPeerDownIsInFields() {
        DecodedBatch decoded = messages()
                .peerDown("03" + MARKER + "0019" + "03" + "0602" + "03627965")
                .peerDown("02" + "000a")
                .peerDown("06" + "0003" + "0003" + "726564" + "0009" + "0001" + "aa")
                .peerDown("63" + "aabb")
                .decode();
        List<Map<String, Object>> records = ParsedRecords.of(decoded, LaneName.PEERS);
        assertThat(records.get(1))
                .containsEntry("notification", "cease/administrative-shutdown")
                .containsEntry("notification_code", 6)
                .containsEntry("notification_subcode", 2)
                .containsEntry("communication", "bye");
        assertThat(records.get(2)).containsEntry("fsm_event", 10).containsEntry("fsm_event_name", "HoldTimer_Expires");
        assertThat(records.get(3))
                .containsEntry("table_name", "red")
                .containsEntry("tlvs", List.of(Map.of("type", 9, "value", "aa")));
        assertThat(records.get(4)).containsEntry("reason", "reason 99").containsEntry("data", "aabb");
    }
}
