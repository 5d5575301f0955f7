package dev.silkroute.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.copy.Sql;
import io.agroal.api.AgroalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The functions of the low-volume lanes, with records as the collector sends them. */
class LifecycleSqlIT {
    private static final String PEER_11 = peer("192.0.2.11", 4_200_000_011L, "10.0.0.11", "adj-rib-in-pre");
    private static final String SESSIONS = "SELECT state, sys_name, connected_at IS NULL, disconnected_at IS NULL"
            + " FROM bmp.v_routers WHERE router = 'r1'";
    private static final String PEERS =
            "SELECT peer_address, peer_bgp_id, rib_view, state, down_reason FROM bmp.v_peers ORDER BY 1, 2, 3";
    /** By the transaction until now, from the table and its indexes. */
    private static final String ROWS_OF_PEERS_READ = """
        SELECT sum(pg_stat_get_xact_tuples_returned(relation)) FROM (
          SELECT 'bmp.peer'::regclass::oid AS relation
          UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = 'bmp.peer'::regclass)""";

    @AutoClose
    private final AgroalDataSource database = TestPostgres.pool();

    private static String peer(String address, long asn, String bgpId, String view) {
        return "\"peer_type\":\"global\",\"peer_distinguisher\":\"0000000000000000\",\"peer_address\":\"" + address
                + "\",\"peer_asn\":" + asn + ",\"peer_bgp_id\":\"" + bgpId + "\",\"rib_view\":\"" + view + "\"";
    }

    private static String event(String event, long session, long sequence, String... fields) {
        return "{\"event\":\"" + event + "\",\"collector\":\"c1\",\"router\":\"r1\",\"router_address\":\"192.0.2.1\","
                + "\"session_id\":" + session + ",\"sequence\":" + sequence
                + ",\"received_at\":\"2026-11-21T08:00:00.000001Z\",\"router_time\":null"
                + (fields.length == 0 ? "" : "," + String.join(",", fields)) + "}";
    }

    private static String peerUp(long session, long sequence, String peer) {
        return event(
                "peer-up",
                session,
                sequence,
                peer,
                "\"local_address\":\"192.0.2.1\",\"local_port\":179,\"remote_port\":65535,\"table_name\":\"red\","
                        + "\"capabilities\":{\"sent\":{\"asn\":64512}}");
    }

    private static String peerDown(long session, long sequence, String peer, boolean allViews) {
        return event(
                "peer-down",
                session,
                sequence,
                peer,
                "\"all_views\":" + allViews + ",\"known\":true,\"reason_code\":1,\"reason\":\"local, notification\"");
    }

    private int apply(String function, String... records) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return apply(connection, function, records);
        }
    }

    /** Calls the functions of a lane. */
    private static int apply(Connection connection, String function, String... records) throws SQLException {
        String array = "[" + String.join(",", records) + "]";
        if (function.equals("peer_events")) {
            Sql.query(connection, "SELECT bmp.ensure_peers(CAST(? AS jsonb))", _ -> {}, array);
        }
        return Sql.first(connection, "SELECT bmp.apply_" + function + "(CAST(? AS jsonb))", row -> row.getInt(1), array)
                .orElseThrow();
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    @Test
    void aSessionUpIsItsRouterConnected() throws SQLException {
        apply(
                "peer_events",
                event("session-up", 100, 0),
                event("initiation", 100, 0, "\"sys_name\":\"core-1\",\"sys_descr\":\"x\",\"information\":[\"hi\"]"));
        assertThat(query(SESSIONS)).containsExactly("connected|core-1|f|t");
        apply("peer_events", event("session-down", 100, 65_536, "\"reason\":\"end of stream\""));
        assertThat(query(SESSIONS)).containsExactly("disconnected|core-1|f|f");
        assertThat(query("SELECT event, reason FROM bmp.v_peer_events ORDER BY sequence, event"))
                .containsExactly("initiation|-", "session-up|-", "session-down|end of stream");
    }

    @Test
    void theEndOfAnOlderSessionLeavesTheNewerOneConnected() throws SQLException {
        apply("peer_events", event("session-up", 100, 0), event("session-up", 200, 0), event("session-down", 100, 7));
        assertThat(query(SESSIONS)).containsExactly("connected|-|f|t");
    }

    @Test
    void aPeerIsUpThenDown() throws SQLException {
        apply("peer_events", event("session-up", 100, 0), peerUp(100, 65_536, PEER_11));
        assertThat(query(PEERS)).containsExactly("192.0.2.11|10.0.0.11|adj-rib-in-pre|up|-");
        assertThat(query("SELECT peer_asn, table_name, up_at IS NULL, capabilities->'sent'->>'asn' FROM bmp.v_peers"))
                .containsExactly("4200000011|red|f|64512");
        apply("peer_events", peerDown(100, 131_072, PEER_11, true));
        assertThat(query(PEERS)).containsExactly("192.0.2.11|10.0.0.11|adj-rib-in-pre|down|local, notification");
    }

    @Test
    void aPeerUpOfALostSessionIsStaleUntilItComesUpAgain() throws SQLException {
        apply("peer_events", event("session-up", 100, 0), peerUp(100, 65_536, PEER_11));
        apply("peer_events", event("session-down", 100, 131_072));
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("stale");
        apply("peer_events", event("session-up", 200, 0));
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("stale");
        apply("peer_events", peerUp(200, 65_536, PEER_11));
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("up");
    }

    @Test
    void viewsThatCameUpOneByOneGoDownOneByOne() throws SQLException {
        String post = PEER_11.replace("in-pre", "in-post");
        apply("peer_events", event("session-up", 1, 0), peerUp(1, 1, PEER_11), peerUp(1, 2, post));
        apply("peer_events", peerDown(1, 3, post, false));
        assertThat(query(PEERS))
                .containsExactly(
                        "192.0.2.11|10.0.0.11|adj-rib-in-post|down|local, notification",
                        "192.0.2.11|10.0.0.11|adj-rib-in-pre|up|-");
        apply("peer_events", peerDown(1, 4, PEER_11, true));
        assertThat(query("SELECT DISTINCT state FROM bmp.v_peers")).containsExactly("down");
    }

    @Test
    void flapsAreTheDownsOfADay() throws SQLException {
        String post = PEER_11.replace("in-pre", "in-post");
        String now = Instant.now().toString();
        // Given: a Peer Down of a peer that was not up, one of a single view, one of both views, its repetition, and
        // one
        // that was decoded again; two sessions that ended, and one that lasts
        apply(
                "peer_events",
                event("session-up", 1, 0),
                peerDown(1, 1, PEER_11, true).replace("\"known\":true", "\"known\":false"),
                peerUp(1, 2, PEER_11),
                peerUp(1, 3, post),
                peerDown(1, 4, post, false),
                peerUp(1, 5, post),
                peerDown(1, 6, PEER_11, true),
                peerDown(1, 7, PEER_11, true).replace("\"known\":true", "\"known\":true,\"repeated\":true"),
                peerDown(1, 8, PEER_11, true).replace("\"known\":true", "\"known\":true,\"redecoded\":true"),
                event("session-down", 1, 9),
                event("session-up", 2, 0),
                event("session-down", 2, 1),
                event("session-up", 3, 0));
        String peers = "SELECT rib_view, flaps FROM bmp.%s ORDER BY 1";
        String routers = "SELECT flaps FROM bmp.%s";
        for (String time : List.of("2026-11-21 08:00:01Z", "2026-11-22 07:59:59Z")) {
            assertThat(query(peers.formatted("peers_at('" + time + "')")))
                    .as(time)
                    .containsExactly("adj-rib-in-post|2", "adj-rib-in-pre|1");
            assertThat(query(routers.formatted("routers_at('" + time + "')")))
                    .as(time)
                    .containsExactly("2");
        }
        String nextDay = "('2026-11-22 08:00:01Z')";
        assertThat(query(peers.formatted("peers_at" + nextDay)))
                .containsExactly("adj-rib-in-post|0", "adj-rib-in-pre|0");
        assertThat(query(routers.formatted("routers_at" + nextDay))).containsExactly("0");
        // When: both go down now
        apply(
                "peer_events",
                at(now, peerUp(3, 1, PEER_11)),
                at(now, peerDown(3, 2, PEER_11, true)),
                at(now, event("session-down", 3, 3)));
        assertThat(query(peers.formatted("v_peers"))).contains("adj-rib-in-pre|1");
        assertThat(query(routers.formatted("v_routers"))).containsExactly("1");
    }

    private static String at(String time, String event) {
        return event.replace("2026-11-21T08:00:00.000001Z", time);
    }

    @Test
    void peersThatDifferByBgpIdStayTwo() throws SQLException {
        String twin = PEER_11.replace("10.0.0.11", "10.0.0.99");
        apply("peer_events", event("session-up", 1, 0), peerUp(1, 1, PEER_11), peerUp(1, 2, twin));
        apply("peer_events", peerDown(1, 3, twin, true));
        assertThat(query(PEERS))
                .containsExactly(
                        "192.0.2.11|10.0.0.11|adj-rib-in-pre|up|-",
                        "192.0.2.11|10.0.0.99|adj-rib-in-pre|down|local, notification");
    }

    @Test
    void aPeerDownWithoutBgpIdMissesNoPeerAndCreatesNone() throws SQLException {
        String noId = PEER_11.replace("10.0.0.11", "0.0.0.0");
        apply("peer_events", event("session-up", 1, 0), peerDown(1, 1, noId, true));
        assertThat(query("SELECT count(*) FROM bmp.peer")).containsExactly("0");
        assertThat(query("SELECT event, peer_address, peer_bgp_id, reason_code FROM bmp.v_peer_events"
                        + " WHERE event = 'peer-down'"))
                .containsExactly("peer-down|192.0.2.11|0.0.0.0|1");
        apply("peer_events", peerUp(1, 2, PEER_11), peerDown(1, 3, noId, true));
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("down");
    }

    @Test
    void replayedRecordsChangeNothing() throws SQLException {
        String[] records = {
            event("session-up", 1, 0), peerUp(1, 1, PEER_11), peerDown(1, 2, PEER_11, true), peerUp(1, 3, PEER_11)
        };
        assertThat(apply("peer_events", records)).isEqualTo(4);
        assertThat(apply("peer_events", records)).isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_peer_events")).containsExactly("4");
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("up");
    }

    /** A thousand routers whose sessions have one id, as if the clocks of collectors were equal and ids were times. */
    @Test
    void recordsOfRoutersWithTheSameSessionIdAreAllStored() throws SQLException {
        int routers = 1000;
        String[] events = new String[routers];
        String[] statistics = new String[routers];
        String[] mirrored = new String[routers];
        String[] quarantined = new String[routers];
        for (int i = 0; i < routers; i++) {
            String collector = "c" + i % 2;
            String router = "r" + i;
            events[i] = from(collector, router, event("session-up", 7, 0));
            statistics[i] = from(
                    collector,
                    router,
                    event("statistics", 7, 1, PEER_11, "\"statistics\":[{\"type\":7,\"value\":\"1\",\"raw\":\"01\"}]"));
            mirrored[i] = from(
                    collector,
                    router,
                    event("mirror", 7, 2, PEER_11, "\"messages\":[{\"type\":0,\"bytes\":\"AQI=\"}]"));
            quarantined[i] = from(
                    collector, router, event("quarantine", 7, 3, "\"offset\":1,\"reason\":\"bad\",\"bytes\":\"AQI=\""));
        }
        assertThat(apply("peer_events", events)).isEqualTo(routers);
        assertThat(apply("statistics", statistics)).isEqualTo(routers);
        assertThat(apply("mirror", mirrored)).isEqualTo(routers);
        assertThat(apply("quarantine", quarantined)).isEqualTo(routers);
        assertThat(apply("peer_events", events)).as("delivered again").isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_routers WHERE state = 'connected'"))
                .containsExactly("1000");
    }

    private static String from(String collector, String router, String record) {
        return record.replace("\"collector\":\"c1\"", "\"collector\":\"" + collector + "\"")
                .replace("\"router\":\"r1\"", "\"router\":\"" + router + "\"");
    }

    @Test
    void theSourceOfARoutersNameIsThatOfTheNewestSession() throws SQLException {
        String source = "SELECT name_source FROM bmp.v_routers";
        apply("peer_events", event("session-up", 100, 0, "\"name_source\":\"certificate\""));
        assertThat(query(source)).containsExactly("certificate");
        apply("peer_events", event("session-up", 200, 0, "\"name_source\":\"sys-name\""));
        assertThat(query(source)).containsExactly("sys-name");
        apply("peer_events", event("initiation", 300, 0));
        assertThat(query(source)).as("its session-up is missing").containsExactly("-");
    }

    @Test
    void aSecondPeerUpIsNoNewBeginning() throws SQLException {
        apply("peer_events", event("session-up", 1, 0), peerUp(1, 1, PEER_11));
        List<String> since = query("SELECT up_at FROM bmp.v_peers");
        apply(
                "peer_events",
                peerUp(1, 2, PEER_11).replace("08:00:00", "09:00:00").replace("64512", "64513"));
        assertThat(query("SELECT up_at FROM bmp.v_peers")).isEqualTo(since);
        assertThat(query("SELECT capabilities->'sent'->>'asn' FROM bmp.v_peers"))
                .containsExactly("64513");
    }

    @Test
    void statisticsKeepTheWholeUnsignedRangeAndTheFamily() throws SQLException {
        String report = event(
                "statistics",
                1,
                5,
                PEER_11,
                "\"statistics\":[{\"type\":7,\"name\":\"adj-rib-in routes\",\"afi\":null,\"safi\":null,"
                        + "\"value\":\"18446744073709551615\",\"raw\":\"ffffffffffffffff\"},"
                        + "{\"type\":9,\"name\":\"per family\",\"afi\":2,\"safi\":1,\"value\":\"0\",\"raw\":\"00\"},"
                        + "{\"type\":65000,\"name\":\"type-65000\",\"value\":null,\"raw\":\"0102\"}]");
        assertThat(apply("statistics", report)).isEqualTo(3);
        assertThat(apply("statistics", report)).isZero();
        assertThat(query("SELECT router, peer_asn, type, name, afi, safi, value, raw FROM bmp.v_stats ORDER BY type"))
                .containsExactly(
                        "r1|4200000011|7|adj-rib-in routes|-|-|18446744073709551615|\\xffffffffffffffff",
                        "r1|4200000011|9|per family|2|1|0|\\x00",
                        "r1|4200000011|65000|type-65000|-|-|-|\\x0102");
    }

    @Test
    void severalMirroredMessagesStaySeveral() throws SQLException {
        String mirror = event(
                "mirror",
                1,
                5,
                PEER_11,
                "\"messages\":[{\"type\":0,\"name\":\"BGP message\",\"bytes\":\"AQI=\"},"
                        + "{\"type\":1,\"name\":\"information\",\"bytes\":\"AAE=\"}]");
        assertThat(apply("mirror", mirror, mirror)).isEqualTo(2);
        assertThat(query("SELECT ordinal, type, bytes FROM bmp.v_mirror ORDER BY ordinal"))
                .containsExactly("0|0|\\x0102", "1|1|\\x0001");
    }

    @Test
    void quarantineKeepsReasonOffsetAndBytes() throws SQLException {
        String fields =
                "\"message_type\":\"route-monitoring\",\"offset\":48,\"reason\":\"bad marker\",\"section\":\"RFC 4271, Section 4.1\","
                        + "\"bytes\":\"/w==\"";
        apply("quarantine", event("quarantine", 1, 5, PEER_11, fields), event("quarantine", 1, 6, fields));
        apply("quarantine", event("quarantine", 1, 6, fields));
        assertThat(query("SELECT router, peer_address, message_type, byte_offset, reason, rfc_section, bytes"
                        + " FROM bmp.v_quarantine ORDER BY sequence"))
                .containsExactly(
                        "r1|192.0.2.11|route-monitoring|48|bad marker|RFC 4271, Section 4.1|\\xff",
                        "r1|-|route-monitoring|48|bad marker|RFC 4271, Section 4.1|\\xff");
    }

    @Test
    void oneBadRecordIsQuarantinedAndTheOthersStored() throws SQLException {
        String bad = event("peer-up", 1, 1, PEER_11.replace("192.0.2.11", "no address"));
        assertThat(apply("peer_events", event("session-up", 1, 0), bad, peerUp(1, 2, PEER_11)))
                .isEqualTo(2);
        assertThat(apply("peer_events", bad)).isZero();
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("up");
        assertThat(query("SELECT reason FROM bmp.v_quarantine"))
                .containsExactly("invalid input syntax for type inet: \"no address\"");
    }

    @Test
    void routersAreMadeOnceAndTheirIdsAreNotUsedUp() throws SQLException {
        for (int i = 0; i < 20; i++) {
            apply("statistics", event("statistics", 1, i, PEER_11, "\"statistics\":[]"));
        }
        assertThat(query("SELECT router_id, name, address FROM bmp.router")).containsExactly("1|r1|192.0.2.1");
        assertThat(query("SELECT last_value FROM bmp.router_router_id_seq")).containsExactly("1");
    }

    private static String mismatch(long session, long sequence, String peer, String how) {
        return event(
                "decode-mismatch", session, sequence, peer, "\"decode\":{\"add_path\":{\"vpnv4\":\"" + how + "\"}}");
    }

    /** Plans that were made while there was one peer are in use when there are many. */
    @Test
    void whatNewPeersReadDoesNotGrowWithTheKnownPeers() throws SQLException {
        int batch = 300;
        try (Connection connection = database.getConnection()) {
            for (int sequence = 1; sequence <= 10; sequence++) {
                apply(connection, "peer_events", peerUp(100, sequence, PEER_11));
            }
            connection.setAutoCommit(false);
            List<Long> read = new ArrayList<>(List.of(0L));
            for (int first = 0; first < 4 * batch; first += batch) {
                apply(
                        connection,
                        "peer_events",
                        IntStream.range(first, first + batch)
                                .mapToObj(n -> peerUp(
                                        200, n, peer("10.1." + n / 250 + "." + n % 250, 65001, "10.0.0.1", "loc-rib")))
                                .toArray(String[]::new));
                read.add(Sql.first(connection, ROWS_OF_PEERS_READ, row -> row.getLong(1))
                        .orElseThrow());
            }
            connection.commit();
            assertThat(query("SELECT count(*) FROM bmp.peer_state")).containsExactly(String.valueOf(4 * batch + 1));
            assertThat(read.get(4) - read.get(3)).isLessThanOrEqualTo(read.get(1) + batch);
        }
    }

    @Test
    void howAPeerIsReadStandsAtTheViewThatCameUpUntilItsOpensChange() throws SQLException {
        String decode = "SELECT rib_view, decode FROM bmp.v_peers ORDER BY 1";
        String post = PEER_11.replace("-pre", "-post");
        apply("peer_events", peerUp(100, 1, PEER_11), mismatch(100, 2, PEER_11, "a"), mismatch(100, 3, post, "b"));
        assertThat(query(decode))
                .containsExactly("adj-rib-in-pre|{\"adj-rib-in-pre\": {\"add_path\": {\"vpnv4\": \"a\"}},"
                        + " \"adj-rib-in-post\": {\"add_path\": {\"vpnv4\": \"b\"}}}");
        apply("peer_events", peerUp(200, 1, PEER_11));
        assertThat(query(decode)).containsExactly("adj-rib-in-pre|-");
        apply("peer_events", mismatch(100, 4, PEER_11, "late"));
        assertThat(query(decode)).containsExactly("adj-rib-in-pre|-");
    }

    @Test
    void aPeerWithoutPeerUpIsSeenAndComesUpWhenOneArrives() throws SQLException {
        String states = "SELECT rib_view, state, up_at IS NULL, capabilities IS NULL FROM bmp.v_peers ORDER BY 1";
        apply("peer_events", event("session-up", 100, 0), event("peer-unannounced", 100, 1, PEER_11));
        assertThat(query(states)).containsExactly("adj-rib-in-pre|unannounced|t|t");
        apply("peer_events", peerUp(100, 2, PEER_11));
        assertThat(query(states)).containsExactly("adj-rib-in-pre|up|f|f");
        apply("peer_events", event("peer-unannounced", 200, 1, PEER_11));
        assertThat(query(states)).containsExactly("adj-rib-in-pre|unannounced|t|t");
        apply("peer_events", peerDown(200, 2, PEER_11, true));
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("down");
        apply(
                "peer_events",
                event("session-down", 200, 3, "\"reason\":\"end\""),
                event("peer-unannounced", 100, 9, PEER_11));
        assertThat(query("SELECT state FROM bmp.v_peers")).containsExactly("down");
    }

    @Test
    void whatWasDecodedAgainIsKeptAndMovesNoState() throws SQLException {
        apply("peer_events", event("session-up", 100, 0), peerUp(100, 65_536, PEER_11));
        List<String> peers = query("SELECT * FROM bmp.v_peers");
        List<String> sessions = query(SESSIONS);
        String down = event("peer-down", 100, 1, PEER_11, "\"redecoded\":true,\"all_views\":true,\"reason\":\"late\"");
        String other = event("peer-up", 100, 2, peer("192.0.2.77", 1, "10.0.0.77", "loc-rib"), "\"redecoded\":true");
        assertThat(apply("peer_events", down, other)).isEqualTo(2);
        assertThat(apply("peer_events", down, other)).isZero();
        assertThat(query("SELECT * FROM bmp.v_peers")).isEqualTo(peers);
        assertThat(query(SESSIONS)).isEqualTo(sessions);
        assertThat(query("SELECT event, peer_address, reason FROM bmp.v_peer_events ORDER BY sequence"))
                .containsExactly(
                        "session-up|-|-", "peer-down|192.0.2.11|late", "peer-up|192.0.2.77|-", "peer-up|192.0.2.11|-");
    }

    @Test
    void aQuarantinedMessageIsOpenUntilItIsRedecoded() throws SQLException {
        apply(
                "quarantine",
                event("quarantine", 1, 65_536, "\"reason\":\"a\""),
                event("quarantine", 1, 131_072, "\"reason\":\"b\""));
        assertThat(query("SELECT id, state, redecoded_at FROM bmp.v_quarantine ORDER BY id"))
                .containsExactly("1|open|-", "2|open|-");
        query("UPDATE bmp.quarantine SET redecoded_at = '2026-11-21T08:00:00Z' WHERE reason = 'a' RETURNING 1");
        apply("quarantine", event("quarantine", 1, 65_536, "\"reason\":\"a\""));
        assertThat(query("SELECT state, reason FROM bmp.v_quarantine ORDER BY id"))
                .containsExactly("redecoded|a", "open|b");
    }
}
