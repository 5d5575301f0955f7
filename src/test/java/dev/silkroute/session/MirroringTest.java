package dev.silkroute.session;

import static dev.silkroute.session.Messages.ATTRIBUTES;
import static dev.silkroute.session.Messages.MARKER;
import static dev.silkroute.session.Messages.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.MessageType;
import dev.silkroute.fixture.ParsedRecords;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mirrored messages are kept verbatim and summarized. */
class MirroringTest {
    private static String tlv(int type, String value) {
        return "%04x%04x%s".formatted(type, value.length() / 2, value);
    }

    private static DecodedBatch decode(String body) {
        return new Messages(3)
                .peerUp("4504" + "0001" + "01" + "03")
                .add(MessageType.ROUTE_MIRRORING, body)
                .decode();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> messages(DecodedBatch decoded) {
        return (List<Map<String, Object>>)
                ParsedRecords.of(decoded, LaneName.MIRROR).getFirst().get("messages");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> summary(DecodedBatch decoded, int n) {
        return (Map<String, Object>) messages(decoded).get(n).get("decoded");
    }

    @Test
    void everyMirroredMessageKeepsItsBytes() {
        // Given: the session has path identifiers, and so has the first UPDATE
        String update = update("", ATTRIBUTES, "00000007" + "080a");
        String keepAlive = MARKER + "0013" + "04";
        String notification = MARKER + "0015" + "03" + "0305";

        // When
        DecodedBatch decoded = decode(tlv(0, update)
                + tlv(0, keepAlive)
                + tlv(1, "0000")
                + tlv(0, notification)
                + tlv(1, "0001")
                + tlv(9, "aa"));

        // Then
        assertThat(messages(decoded))
                .extracting(message -> message.get("name"))
                .containsExactly("bgp-message", "bgp-message", "errored-pdu", "bgp-message", "messages-lost", "type-9");
        assertThat(messages(decoded).getFirst())
                .containsEntry(
                        "bytes",
                        Base64.getEncoder().encodeToString(HexFormat.of().parseHex(update)));
        assertThat(summary(decoded, 0))
                .containsEntry("message", "update")
                .containsEntry("announced", 1)
                .containsEntry("withdrawn", 0)
                .containsEntry("outcomes", List.of());
        assertThat(summary(decoded, 1)).isEqualTo(Map.of("message", "keepalive"));
        assertThat(summary(decoded, 3))
                .containsEntry("notification", "update-message-error/attribute-length-error")
                .containsEntry("code", 3)
                .containsEntry("subcode", 5);
        assertThat(messages(decoded).get(2)).doesNotContainKey("decoded");
        assertThat(ParsedRecords.of(decoded, LaneName.MIRROR).getFirst()).containsEntry("messages_lost", true);
        assertThat(decoded.anomalies(Anomaly.MIRRORED_MESSAGES_LOST)).isEqualTo(1);
        assertThat(decoded.anomalies(Anomaly.MIRRORED_FAULT)).isZero();
        assertThat(Messages.routes(decoded)).as("what is mirrored is no route").isEmpty();
    }

    @Test
    void ofMoreOutcomesThanARecordCanHoldTheFirstOfEachUpdateIsReported() {
        // Given: UPDATEs of 32 outcomes each, which are the most that are reported for one, and as many of these as fit
        // for, and two more
        String update = update("", "40010100".repeat(40), "");

        // When
        DecodedBatch decoded = decode(tlv(0, update).repeat(4096 / 32 + 2));

        // Then
        for (int i = 0; i < 4096 / 32 + 2; i++) {
            assertThat((List<?>) summary(decoded, i).get("outcomes"))
                    .as("UPDATE " + i)
                    .hasSize(i < 4096 / 32 ? 32 : 1);
        }
        assertThat(decoded.anomalies(Anomaly.MIRRORED_FAULT)).isEqualTo(4096 / 32 + 2);
    }

    @Test
    void outcomesOfRfc7606AreReported() {
        // Given: ORIGIN of two bytes, NLRI without path identifier
        String update = update("", "40010200" + "00" + ATTRIBUTES.substring(8), "00000001" + "080a");

        // When
        DecodedBatch decoded = decode(tlv(1, "0000") + tlv(0, update));

        // Then
        assertThat(summary(decoded, 1)).containsEntry("withdrawn", 1).containsEntry("announced", 0);
        assertThat((List<?>) summary(decoded, 1).get("outcomes"))
                .first()
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry("outcome", "treat-as-withdraw")
                .containsEntry("attribute", 1)
                .containsEntry("section", "RFC 7606, Section 7.1")
                .containsEntry("offset", 26);
        assertThat(decoded.anomalies(Anomaly.MIRRORED_FAULT)).isEqualTo(1);
        assertThat(ParsedRecords.of(decoded, LaneName.MIRROR).getFirst()).containsEntry("messages_lost", false);
    }

    @ParameterizedTest
    @CsvSource({
        "'', message ends inside the BGP header",
        "ffff, message ends inside the BGP header",
        "00000000000000000000000000000000001702, BGP marker is not all ones",
    })
    void undecodableMessagesAreReportedWithAReason(String message, String reason) {
        DecodedBatch decoded = decode(tlv(0, message));
        assertThat(summary(decoded, 0)).containsEntry("reason", reason).containsKeys("offset", "section");
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        assertThat(decoded.anomalies(Anomaly.MIRRORED_FAULT)).isEqualTo(1);
    }

    @Test
    void otherMirroredMessagesHaveNames() {
        DecodedBatch decoded = decode(tlv(0, Messages.open(""))
                + tlv(0, MARKER + "0017" + "05" + "00010001")
                + tlv(0, MARKER + "0013" + "09")
                + tlv(0, update("", "", "")));
        assertThat(summary(decoded, 0)).containsEntry("message", "open").containsEntry("bgp_id", "10.0.0.1");
        assertThat(summary(decoded, 1)).isEqualTo(Map.of("message", "route-refresh"));
        assertThat(summary(decoded, 2)).isEqualTo(Map.of("message", "type-9"));
        assertThat(summary(decoded, 3)).containsEntry("end_of_rib", "ipv4-unicast");
    }

    @Test
    void everyTruncationIsQuarantinedOrMirrored() {
        String body = tlv(1, "0001") + tlv(0, update("", ATTRIBUTES, "00000001" + "080a"));
        for (int length = 0; length < body.length(); length += 2) {
            DecodedBatch decoded = decode(body.substring(0, length));
            assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE).size()
                            + ParsedRecords.of(decoded, LaneName.MIRROR).size())
                    .as("cut to %d", length / 2)
                    .isEqualTo(1);
        }
    }
}
