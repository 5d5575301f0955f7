package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.UndecodableMessage;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.endtoend.CaptureFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Alerts on messages that could not be decoded. */
class QuarantineEngineTest {
    private static final long SECOND = 1_000_000;
    /** A multiple of ten seconds. */
    private static final long START = 1_700_000_000 * SECOND;

    private static final String ENTRY = "router: 'r*', max: 2, within: 1m, description: bad, group: noc";
    private static final VantagePoint PEER = new VantagePoint("r1", "192.0.2.1", 64501);
    private static final VantagePoint OTHER = new VantagePoint("r1", "192.0.2.2", 64502);
    private static final VantagePoint NO_PEER = new VantagePoint("r1", "", 0);

    private final List<JsonNode> records = new ArrayList<>();

    private static AlertRules rules(String... entries) {
        return RulesFile.parse("options: {monitorQuarantine: [{" + String.join("}, {", entries) + "}]}");
    }

    private QuarantineEngine engine(String... entries) {
        return engine(AlertFeed.settings(2, 3), entries);
    }

    private QuarantineEngine engine(AlertSettings settings, String... entries) {
        return new QuarantineEngine(
                rules(entries),
                settings,
                record -> records.add(CaptureFiles.parse(new String(record.json(), StandardCharsets.UTF_8))));
    }

    /** A message of session 1 whose sequence is its time. */
    private static UndecodableMessage at(VantagePoint peer, long second) {
        return in(1, peer, second);
    }

    private static UndecodableMessage in(long session, VantagePoint peer, long second) {
        return new UndecodableMessage(peer, session, second, START + second * SECOND);
    }

    private static void apply(QuarantineEngine engine, VantagePoint peer, long... seconds) {
        for (long second : seconds) {
            engine.apply(at(peer, second));
        }
    }

    /** Returns the changes since the last call, with their times in seconds. */
    private List<String> changes() {
        List<String> changes = records.stream()
                .map(record -> record.path("event").asText() + " "
                        + record.path("key").asText() + " at "
                        + (Evidence.micros(record, "changed_at") - START) / SECOND)
                .toList();
        records.clear();
        return changes;
    }

    private List<String> after(QuarantineEngine engine, long second) {
        engine.passTo(START + second * SECOND);
        return changes();
    }

    @Test
    void messagesOfARouterOpenAnAlertUntilTheyEnd() {
        QuarantineEngine engine = engine(ENTRY);
        apply(engine, PEER, 1);
        apply(engine, NO_PEER, 20);
        apply(engine, OTHER, 60);
        JsonNode alert = records.getFirst();
        assertThat(changes()).containsExactly("opened router r1 quarantine-growth at 60");
        assertThat(alert.path("condition").asText())
                .isEqualTo("router r1 has sent more than 2 undecodable messages within 1m");
        assertThat(alert.path("description").asText()).isEqualTo("bad");
        assertThat(alert.path("group").asText()).isEqualTo("noc");
        assertThat(alert.path("vantage_points").asInt()).isEqualTo(3);
        assertThat(alert.path("suppressed_by"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "a larger max of monitorQuarantine 1 in options",
                        "a shorter within of monitorQuarantine 1 in options");
        JsonNode evidence = alert.path("evidence");
        assertThat(evidence).extracting(row -> row.path("sequence").asLong()).containsExactly(20L, 1L, 60L);
        assertThat(evidence.get(0).has("peer_address")).isFalse();
        assertThat(evidence.get(1).path("peer_address").asText()).isEqualTo("192.0.2.1");
        assertThat(evidence.get(1).path("event").asText()).isEqualTo("undecodable");
        assertThat(evidence.get(1).path("link").asText())
                .startsWith("/api/v1/quarantine?router=")
                .contains("&state=all&at=");
        assertThat(evidence.get(1).path("session_id").asLong()).isEqualTo(1);
        assertThat(Alert.read(alert).subject()).isEqualTo(new AlertSubject.OfRouter("r1"));
        assertThat(after(engine, 119)).isEmpty();
        assertThat(after(engine, 120)).containsExactly("closed router r1 quarantine-growth at 120");
        assertThat(after(engine, 3000)).isEmpty();
        assertThat(engine.openAlerts()).isZero();
        assertThat(engine.messages()).isZero();
    }

    @Test
    void messagesThatAreFurtherApartOpenNone() {
        QuarantineEngine engine = engine(ENTRY);
        apply(engine, PEER, 0, 30, 60, 90, 120, 150);
        assertThat(changes()).isEmpty();
    }

    @Test
    void eachPeerCountsByItselfAndItsEvidenceHasAllOfItsMessages() {
        QuarantineEngine engine = engine(ENTRY + ", peer: '*'");
        apply(engine, PEER, 1, 2);
        apply(engine, OTHER, 3, 4);
        apply(engine, NO_PEER, 5, 6, 7);
        assertThat(changes()).isEmpty();
        apply(engine, PEER, 8);
        assertThat(records.getFirst().path("evidence"))
                .extracting(row -> row.path("sequence").asLong())
                .containsExactly(1L, 2L, 8L);
        assertThat(records.getFirst().path("vantage_points").asInt()).isEqualTo(1);
        assertThat(records.getFirst().path("condition").asText())
                .isEqualTo("peer 192.0.2.1 (AS64501) of router r1 has sent more than 2 undecodable messages within 1m");
        assertThat(changes()).containsExactly("opened peer 192.0.2.1 AS64501 of r1 quarantine-growth at 8");
    }

    @Test
    void firstEntryThatMatchesCountsAndRoutersAreIndependentOfPeers() {
        QuarantineEngine engine = engine(
                "router: r1, peer: 192.0.2.2, max: 100, within: 1m",
                ENTRY + ", peer: '*'",
                "router: r2, max: 0, within: 1m");
        apply(engine, OTHER, 1, 2, 3, 4);
        apply(engine, new VantagePoint("r3", "", 0), 5);
        assertThat(changes()).isEmpty();
        apply(engine, new VantagePoint("r2", "192.0.2.2", 64502), 6);
        assertThat(changes()).containsExactly("opened router r2 quarantine-growth at 6");
    }

    @Test
    void longerQuietTimeKeepsAnAlertOpen() {
        QuarantineEngine engine = engine(ENTRY + ", quiet: 5m");
        apply(engine, PEER, 1, 2, 3, 250, 500);
        assertThat(changes()).containsExactly("opened router r1 quarantine-growth at 3");
        assertThat(after(engine, 799)).isEmpty();
        apply(engine, PEER, 801);
        assertThat(changes()).containsExactly("closed router r1 quarantine-growth at 800");
    }

    @Test
    void openAlertIsRepeated() {
        QuarantineEngine engine = engine(ENTRY + ", quiet: 2h");
        apply(engine, PEER, 1, 2, 3);
        assertThat(after(engine, 3611))
                .containsExactly(
                        "opened router r1 quarantine-growth at 3", "repeated router r1 quarantine-growth at 3610");
    }

    @Test
    void olderSessionsAndRepeatedRecordsDoNotCount() {
        QuarantineEngine engine = engine(ENTRY);
        engine.apply(in(2, PEER, 1));
        engine.apply(in(2, PEER, 1));
        engine.apply(in(1, PEER, 2));
        engine.apply(in(1, PEER, 3));
        engine.apply(in(2, PEER, 4));
        assertThat(changes()).isEmpty();
        engine.apply(in(3, PEER, 5));
        assertThat(changes()).containsExactly("opened router r1 quarantine-growth at 5");
    }

    @Test
    void subjectsBeyondTheLimitAreOmitted() {
        AlertSettings settings = new AlertSettings(1, 1, 3600 * SECOND, 3600 * SECOND, 5, 100, 100);
        QuarantineEngine engine = engine(settings, ENTRY);
        apply(engine, PEER, 1);
        apply(engine, new VantagePoint("r2", "", 0), 2, 3, 4);
        assertThat(engine.omitted()).isEqualTo(3);
        assertThat(changes()).isEmpty();
        apply(engine, PEER, 5, 6);
        assertThat(changes()).containsExactly("opened router r1 quarantine-growth at 6");
        after(engine, 200); // nothing counts any more
        apply(engine, new VantagePoint("r2", "", 0), 200, 201, 202);
        assertThat(changes()).containsExactly("opened router r2 quarantine-growth at 202");
    }

    @Test
    void restartReportsTheDifferenceOnly() {
        QuarantineEngine before = engine("router: r1, max: 2, within: 1m", "router: r2, max: 2, within: 1m");
        apply(before, PEER, 1, 2, 3);
        VantagePoint second = new VantagePoint("r2", "", 0);
        apply(before, second, 4, 5, 6);
        List<JsonNode> open = List.copyOf(records);
        assertThat(changes()).hasSize(2);

        QuarantineEngine after = engine("router: r1, max: 2, within: 1m", "router: r3, max: 2, within: 1m");
        open.forEach(after::restore);
        after.load();
        apply(after, PEER, 2, 3, 40);
        apply(after, new VantagePoint("r3", "", 0), 10, 11, 12, 13);
        assertThat(after.isLoading()).isTrue();
        assertThat(after(after, 50)).isEmpty();
        after.settle(0);
        assertThat(changes())
                .containsExactly(
                        "closed router r2 quarantine-growth at 6", // no entry
                        "opened router r3 quarantine-growth at 12");
        assertThat(after(after, 90)).containsExactly("closed router r3 quarantine-growth at 80");
        assertThat(after(after, 100)).containsExactly("closed router r1 quarantine-growth at 100");
    }

    @Test
    void restoredAlertWithoutRecentMessagesCloses() {
        QuarantineEngine before = engine(ENTRY);
        apply(before, PEER, 1, 2, 3);
        JsonNode open = records.getFirst();
        changes();
        QuarantineEngine after = engine(ENTRY);
        after.restore(open);
        after.load();
        after.settle(0);
        assertThat(changes()).isEmpty();
        assertThat(after(after, 5000)).containsExactly("closed router r1 quarantine-growth at 70");
    }

    /** The records of a router's alerts do not depend on how those of several routers are mixed. */
    @Test
    void orderOfRoutersMakesNoDifference() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<UndecodableMessage> messages = new ArrayList<>();
        long second = 0;
        for (int i = 0; i < 500; i++) {
            second += random.nextInt(10) == 0 ? random.nextInt(200) : random.nextInt(30);
            messages.add(at(new VantagePoint("r" + random.nextInt(3), "", 0), second));
        }
        messages.forEach(engine(ENTRY)::apply);
        List<String> byTime = sorted();
        QuarantineEngine timed = engine(ENTRY);
        messages.forEach(message -> {
            timed.passTo(message.receivedAtMicros());
            timed.apply(message);
        });
        assertThat(sorted()).as("seed " + seed).containsAll(byTime).isNotEmpty();
        messages.stream()
                .sorted(Comparator.comparing(UndecodableMessage::router))
                .forEach(engine(ENTRY)::apply);
        assertThat(sorted()).as("seed " + seed).isEqualTo(byTime);
    }

    private List<String> sorted() {
        List<String> all = records.stream().map(JsonNode::toString).sorted().toList();
        records.clear();
        return all;
    }

    @Test
    void recordsOfTheTopicAreRead() {
        JsonNode record = CaptureFiles.parse("""
                {"event":"quarantine","collector":"c","router":"r1","router_address":"192.0.2.9","session_id":7,
                 "sequence":65536,"received_at":"2026-11-25T10:00:00.000001Z","peer_address":"2001:db8::1",
                 "peer_asn":4200000000,"message_type":"route-monitoring","reason":"x","bytes":""}""");
        assertThat(UndecodableMessage.read(record))
                .isEqualTo(new UndecodableMessage(
                        new VantagePoint("r1", "2001:db8::1", 4_200_000_000L), 7, 65536, 1_795_600_800_000_001L));
        assertThat(UndecodableMessage.isRedecoded(record)).isFalse();
        assertThat(UndecodableMessage.isRedecoded(CaptureFiles.parse("{\"redecoded\":true}")))
                .isTrue();
        for (String invalid : List.of("{}", "{\"router\":\"r1\",\"session_id\":1}", "{\"router\":\"\"}")) {
            assertThatThrownBy(() -> UndecodableMessage.read(CaptureFiles.parse(invalid)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
