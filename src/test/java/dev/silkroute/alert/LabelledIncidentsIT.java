package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.app.backtest.Backtest;
import dev.silkroute.app.rpki.StoredVrps;
import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.Timestamps;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.rpki.VrpTable;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The incidents of all rules on routes, stored in the history: evaluating them again leads to the same records byte by
 * byte, and the rows that an alert names as its evidence are enough to derive it.
 */
class LabelledIncidentsIT {
    private static final long SEED = 7;
    private static final int BATCHES = 500;
    private static final DataSource DATABASE = TestPostgres.database();
    private static final AlertFeed LIVE = new LabelledIncidents(SEED).feed;

    /** After the last event and the last version of the VRPs. */
    private static final long END = LIVE.versions.lastKey() + 1_000_000;

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @BeforeAll
    static void store() throws SQLException {
        SortedMap<Instant, VrpTable> versions = new TreeMap<>();
        LIVE.versions.forEach((since, table) -> versions.put(instant(since), table));
        StoredVrps.store(DATABASE, versions);
        DimensionCache dimensions = new DimensionCache(1000);
        HistoryWriter history = new HistoryWriter(dimensions, new AttributeSets(10_000));
        List<String> peersDown = new ArrayList<>();
        try (Connection connection = DATABASE.getConnection()) {
            for (int from = 0; from < LIVE.batches.size(); from += BATCHES) {
                List<RouteBatch> some = LIVE.batches.subList(from, Math.min(LIVE.batches.size(), from + BATCHES));
                LaneTransaction.run(connection, history.prepareBatches(connection, some)::write);
                some.forEach(batch -> addPeerDowns(batch, peersDown));
            }
            Sql.number(connection, "SELECT bmp.apply_peer_events(?::jsonb)", peersDown.toString());
        }
    }

    private static void addPeerDowns(RouteBatch batch, List<String> records) {
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (cursor.kind() == EventKind.PEER_DOWN) {
                PeerEntry peer = batch.peer(cursor.peerIndex());
                records.add("""
                        {"event": "peer-down", "collector": "%s", "router": "%s", "router_address": "192.0.2.1",
                         "session_id": %d, "sequence": %d, "received_at": "%s", "peer_type": "global",
                         "peer_distinguisher": "0000000000000000", "peer_address": "%s", "peer_asn": %d,
                         "peer_bgp_id": "%s", "rib_view": "%s", "reason_code": 1}""".formatted(
                                batch.collector(),
                                batch.router(),
                                batch.sessionId(),
                                cursor.sequence(),
                                Timestamps.text(batch.receivedAtMicros()),
                                Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                                Integer.toUnsignedLong(peer.asn()),
                                Addresses.ipv4(peer.bgpId()),
                                peer.view().text()));
            }
        }
    }

    @Test
    void liveReplayedAndBacktestedRecordsAreTheSameBytes() throws SQLException {
        assertThat(rules(LIVE.records))
                .as("all rules on routes")
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(AlertRule.values())
                        .filter(rule -> rule.countsVantagePoints() && rule != AlertRule.NEW_DOWNSTREAM)
                        .toList());
        assertThat(replayed()).isEqualTo(LIVE.bytes);
        assertThat(backtested()).isEqualTo(LIVE.bytes);
    }

    private static Set<AlertRule> rules(List<JsonNode> records) {
        Set<AlertRule> rules = EnumSet.noneOf(AlertRule.class);
        records.forEach(
                record -> rules.add(AlertRule.of(record.path("rule").asText()).orElseThrow()));
        return rules;
    }

    private static String text(AlertRecord record) {
        return record.key() + " " + new String(record.json(), StandardCharsets.UTF_8);
    }

    /** Reads the batches again, as a station does that starts at the beginning of the topic. */
    private static List<String> replayed() {
        List<String> changes = new ArrayList<>();
        AlertEngine engine = new AlertEngine(
                LabelledIncidents.rules(), LabelledIncidents.settings(), record -> changes.add(text(record)));
        engine.useAspas(LabelledIncidents.ASPAS);
        TreeMap<Long, VrpTable> versions = new TreeMap<>(LIVE.versions);
        for (RouteBatch batch : LIVE.batches) {
            useUntil(batch.receivedAtMicros(), versions, engine);
            engine.passTo(batch.receivedAtMicros());
            engine.apply(RouteBatch.read(batch.bytes()));
        }
        useUntil(END, versions, engine);
        return changes;
    }

    private static void useUntil(long time, TreeMap<Long, VrpTable> versions, AlertEngine engine) {
        while (!versions.isEmpty() && versions.firstKey() < time) {
            engine.passTo(versions.firstKey());
            engine.useVrps(versions.pollFirstEntry().getValue());
        }
    }

    private static List<String> backtested() throws SQLException {
        List<String> changes = new ArrayList<>();
        try (Connection connection = DATABASE.getConnection()) {
            new Backtest(LabelledIncidents.rules(), LabelledIncidents.settings(), LabelledIncidents.ASPAS)
                    .run(connection, instant(AlertFeed.START), instant(END), record -> changes.add(text(record)));
        }
        return changes;
    }

    /**
     * An event as the history has it.
     *
     * @param otc the AS number in Only to Customer, 0 without
     * @param validity of the route by the VRPs of the time at which the alert opened
     */
    private record Row(
            String vantagePoint,
            long peerAsn,
            String view,
            boolean announced,
            IpPrefix prefix,
            List<Long> path,
            long otc,
            String validity) {
        private static final String EVENT = """
                SELECT router || ' ' || peer_address || ' ' || peer_asn, peer_asn, rib_view, event, prefix, as_path,
                  (attributes->>'otc')::bigint, bmp.rpki_validity(prefix, bmp.rpki_origin(as_path, peer_asn), ?::timestamptz)
                FROM bmp.v_route_history WHERE router = ? AND session_id = ? AND sequence = ?""";

        static Row read(Connection connection, JsonNode alert, JsonNode evidence) throws SQLException {
            return Sql.list(
                            connection,
                            EVENT,
                            Row::of,
                            alert.path("opened_at").asText(),
                            evidence.path("router").asText(),
                            evidence.path("session_id").asLong(),
                            evidence.path("sequence").asLong())
                    .getFirst();
        }

        private static Row of(ResultSet row) throws SQLException {
            String path = row.getString(6);
            return new Row(
                    row.getString(1),
                    row.getLong(2),
                    row.getString(3),
                    row.getString(4).equals("announce"),
                    IpPrefix.parse(row.getString(5)),
                    path == null
                            ? List.of()
                            : Arrays.stream(path.split(" ")).map(Long::valueOf).toList(),
                    row.getLong(7),
                    String.valueOf(row.getString(8)));
        }

        /** Returns the rules that the event meets, by their descriptions in the documentation. */
        Set<AlertRule> rules() {
            Set<AlertRule> rules = EnumSet.noneOf(AlertRule.class);
            boolean listed = prefix.length() == 16 && isMine();
            boolean inside = prefix.length() > 16 && isMine();
            if (!announced) {
                if (listed) {
                    rules.add(AlertRule.VISIBILITY_LOSS);
                }
                return rules;
            }
            boolean own = path.getLast() == LabelledIncidents.ME;
            if (listed && !own) {
                rules.add(AlertRule.ORIGIN_CHANGE);
            }
            if (inside) {
                rules.add(own ? AlertRule.NEW_PREFIX : AlertRule.MORE_SPECIFIC);
            }
            if (own && !listed && !inside) {
                rules.add(AlertRule.UNLISTED_PREFIX);
            }
            if (isMine() && path.indexOf(LabelledIncidents.OLD_TRANSIT) > 0) {
                rules.add(AlertRule.AS_PATH);
            }
            if (own && !LabelledIncidents.isUpstream(path.get(path.size() - 2))) {
                rules.add(AlertRule.NEW_UPSTREAM);
            }
            if (isMine() && validity.equals("invalid")) {
                rules.add(AlertRule.RPKI_INVALID);
                if (view.equals(RibView.ADJ_RIB_IN_POST_POLICY.text())) {
                    rules.add(AlertRule.RPKI_INVALID_ACCEPTED);
                }
            }
            if (own && peerAsn == LabelledIncidents.CUSTOMER && view.equals(RibView.ADJ_RIB_IN_POST_POLICY.text())) {
                rules.add(AlertRule.ASPA_INVALID_ACCEPTED);
            }
            if (otc != 0 && peerAsn == LabelledIncidents.CUSTOMER) {
                rules.add(AlertRule.OTC_LEAK);
            }
            int leaker = path.indexOf(LabelledIncidents.LEAKER);
            if (leaker > 0
                    && path.get(leaker - 1) == LabelledIncidents.PROVIDER
                    && path.get(leaker + 1) == LabelledIncidents.OTHER_PROVIDER) {
                rules.add(AlertRule.PATH_LEAK);
            }
            return rules;
        }

        private boolean isMine() {
            return !prefix.ipv6() && prefix.low() >>> 24 == 10 && (prefix.low() >>> 16 & 0xFF) < 50;
        }
    }

    @Test
    void ruleAndPrefixAndThresholdFollowFromTheEvidenceAlone() throws SQLException {
        Set<String> derived = new TreeSet<>();
        Set<String> opened = new TreeSet<>();
        try (Connection connection = DATABASE.getConnection()) {
            for (JsonNode alert : LIVE.records) {
                if (alert.path("event").asText().equals("opened")) {
                    String key = alert.path("prefix").asText() + " ";
                    opened.add(key + alert.path("rule").asText());
                    List<Row> rows = new ArrayList<>();
                    for (JsonNode evidence : alert.path("evidence")) {
                        rows.add(Row.read(connection, alert, evidence));
                    }
                    List<String> found = derive(rows);
                    assertThat(found)
                            .as("%s", alert)
                            .contains(key + alert.path("rule").asText());
                    derived.addAll(found);
                }
            }
        }
        assertThat(derived).as("no other alert follows from the evidence").isEqualTo(opened);
    }

    /** Returns the alerts that events cause, as prefix and rule. */
    private static List<String> derive(List<Row> rows) {
        List<String> alerts = new ArrayList<>();
        for (AlertRule rule : AlertRule.values()) {
            TreeMap<String, Set<String>> vantagePoints = new TreeMap<>();
            for (Row row : rows) {
                if (row.rules().contains(rule)) {
                    vantagePoints
                            .computeIfAbsent(row.prefix().toString(), prefix -> new HashSet<>())
                            .add(row.vantagePoint());
                }
            }
            int threshold = rule == AlertRule.VISIBILITY_LOSS
                    ? LabelledIncidents.MIN_VISIBILITY_LOSS
                    : LabelledIncidents.MIN_VANTAGE_POINTS;
            vantagePoints.forEach((prefix, points) -> {
                if (points.size() >= threshold) {
                    alerts.add(prefix + " " + rule.text());
                }
            });
        }
        return alerts;
    }
}
