package dev.silkroute.postgres.schema;

import static dev.silkroute.postgres.TestBatch.PEER;
import static dev.silkroute.postgres.TestBatch.of;
import static dev.silkroute.postgres.TestBatch.peer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.StoredRouter;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.postgres.withdrawal.Withdrawals;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import io.agroal.api.AgroalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Time travel is right: what {@code rib_at} and {@code rib_diff} answer is what the generator had at that moment. */
class RibAtIT {
    @AutoClose
    private final AgroalDataSource database = TestPostgres.pool();

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private static LoadPlan plan(int changes) {
        return TestLoad.of(11, 3, 25)
                .routers(2)
                .allFamiliesAndViews()
                .paths(2)
                .changes(changes)
                .plan();
    }

    private static String at(Instant time) {
        return "'" + time + "'::timestamptz";
    }

    private List<String> ribAt(Instant time) throws SQLException {
        List<String> routes = query("SELECT " + StoredRouter.COLUMNS + " FROM bmp.rib_at(" + at(time) + ")");
        Collections.sort(routes);
        return routes;
    }

    /** Routes of two routers in all views and families, with path ids, over three days; the state after each batch. */
    private Map<Instant, List<String>> history(Instant start) throws Exception {
        LoadPlan plan = plan(1200);
        StoredRouter one = new StoredRouter(database, plan, 0, 1000);
        StoredRouter two = new StoredRouter(database, plan, 1, 1001);
        Map<Instant, List<String>> states = new TreeMap<>();
        one.tables(start);
        two.tables(start.plusSeconds(1));
        for (int i = 0; i < 24; i++) {
            Instant time = start.plus(Duration.ofHours(3L * i + 1)).plusSeconds(7);
            (i % 2 == 0 ? one : two).steps(45, time);
            List<String> state = new ArrayList<>(one.expected());
            state.addAll(two.expected());
            Collections.sort(state);
            states.put(time, state);
        }
        return states;
    }

    private static Instant daysAgo(int days) {
        return Instant.now().truncatedTo(ChronoUnit.DAYS).minus(days, ChronoUnit.DAYS);
    }

    /** As assertThat(actual).isEqualTo(expected), but reports differences in a few lines. */
    private static void same(List<String> actual, List<String> expected) {
        List<String> missing = new ArrayList<>(expected);
        actual.forEach(missing::remove);
        List<String> unexpected = new ArrayList<>(actual);
        expected.forEach(unexpected::remove);
        assertThat(missing).as("missing").hasSize(0);
        assertThat(unexpected).as("unexpected").hasSize(0);
        assertThat(actual).hasSameSizeAs(expected).isNotEmpty();
    }

    @Test
    void ribAtIsTheGeneratorsStateAtAnyTimeAndWithSnapshotsInBetween() throws Exception {
        // Given
        Map<Instant, List<String>> states = history(daysAgo(4));

        // Then: before and after, and in between two batches as at the former
        for (Map.Entry<Instant, List<String>> state : states.entrySet()) {
            same(ribAt(state.getKey()), state.getValue());
        }
        Instant last = Collections.max(states.keySet());
        same(ribAt(last.plusSeconds(3600)), states.get(last));
        assertThat(ribAt(daysAgo(4).minusSeconds(1))).isEmpty();

        // When: snapshots at midnights
        for (int days = 3; days >= 1; days--) {
            query("SELECT bmp.take_snapshot('" + daysAgo(days) + "')");
        }
        assertThat(query("SELECT count(*) FROM bmp.snapshot")).containsExactly("3");

        // Then: the same
        for (Map.Entry<Instant, List<String>> state : states.entrySet()) {
            same(ribAt(state.getKey()), state.getValue());
        }

        // When: the first part of the newest day has an index
        String statement = "SELECT bmp.open_day_statement(1)";
        for (String next = query(statement).getFirst();
                !next.equals("-");
                next = query(statement).getFirst()) {
            try (Connection connection = database.getConnection()) {
                connection.createStatement().execute(next);
            }
        }
        assertThat(query("SELECT indexed_until < '" + last + "' FROM bmp.open_day_indexes()"))
                .containsExactly("f");

        // Then: the same
        for (Map.Entry<Instant, List<String>> state : states.entrySet()) {
            if (state.getKey().isAfter(last.minus(Duration.ofHours(26)))) {
                same(ribAt(state.getKey()), state.getValue());
            }
        }

        // When: the history before the second one goes
        query("SELECT 1 FROM bmp.set_history_horizon('" + daysAgo(2) + "')");
        try (Connection connection = database.getConnection()) {
            for (int days = 4; days >= 3; days--) {
                connection
                        .createStatement()
                        .execute("DROP TABLE bmp.route_event_"
                                + daysAgo(days).toString().substring(0, 10).replace("-", ""));
            }
        }

        // Then: from there on the same, and before an error instead of a wrong answer
        for (Map.Entry<Instant, List<String>> state : states.entrySet()) {
            if (!state.getKey().isBefore(daysAgo(2))) {
                same(ribAt(state.getKey()), state.getValue());
            }
        }
        assertThatThrownBy(() -> ribAt(daysAgo(2).minusSeconds(1))).hasMessageContaining("the history begins at");
    }

    @Test
    void nowIsTheCurrentState() throws Exception {
        history(daysAgo(3));
        String columns =
                "SELECT router, peer_address, peer_asn, peer_bgp_id, peer_type, peer_distinguisher, table_name,"
                        + " rib_view, afi, safi, family, rd, prefix, nlri, path_id, next_hop, origin, as_path, origin_asn, med,"
                        + " local_pref, communities, large_communities, ext_communities, labels, attributes, stale, session_id,"
                        + " peer_id, next_hop_link_local, as_path_asns, path_status, path_reason FROM ";
        String now = columns + "bmp.rib_at(now())";
        String current = columns + "bmp.v_rib";
        assertThat(query(now + " EXCEPT ALL " + current)).isEmpty();
        assertThat(query(current + " EXCEPT ALL " + now)).isEmpty();
        assertThat(query("SELECT count(*) > 1000 FROM bmp.v_rib")).containsExactly("t");
    }

    @Test
    void itHasTheColumnsOfTheCurrentState() throws SQLException {
        assertThat(query("SELECT pg_get_function_result('bmp.rib_at'::regproc)"))
                .containsExactly("SETOF bmp.v_rib");
    }

    @Test
    void ribDiffIsWhatIsDifferent() throws Exception {
        Map<Instant, List<String>> states = history(daysAgo(4));
        query("SELECT bmp.take_snapshot('" + daysAgo(2) + "')");
        List<Instant> times = List.copyOf(states.keySet());
        for (int[] pair : new int[][] {{0, 1}, {2, 9}, {0, 23}, {12, 13}, {7, 20}}) {
            Instant from = times.get(pair[0]);
            Instant to = times.get(pair[1]);
            TreeSet<String> gone = new TreeSet<>(states.get(from));
            gone.removeAll(states.get(to));
            TreeSet<String> come = new TreeSet<>(states.get(to));
            come.removeAll(states.get(from));
            String diff = " FROM bmp.rib_diff(" + at(from) + ", " + at(to) + ")";
            String side = StoredRouter.COLUMNS.replace("as_path", "%s_as_path");
            // a route that changed anything but its AS path is the same in both expectations
            String differ = " AND old_as_path IS DISTINCT FROM new_as_path";
            assertThat(new TreeSet<>(
                            query("SELECT " + side.formatted("old") + diff + " WHERE change <> 'added'" + differ)))
                    .isEqualTo(gone);
            assertThat(new TreeSet<>(
                            query("SELECT " + side.formatted("new") + diff + " WHERE change <> 'removed'" + differ)))
                    .isEqualTo(come);
            assertThat(query("SELECT count(*)" + diff + " WHERE change = 'changed' AND changed = '{}'"))
                    .containsExactly("0");
        }
        assertThat(query("SELECT count(*) FROM bmp.rib_diff(" + at(times.get(3)) + ", " + at(times.get(3)) + ")"))
                .containsExactly("0");
        assertThatThrownBy(
                        () -> query("SELECT * FROM bmp.rib_diff(" + at(times.get(4)) + ", " + at(times.get(3)) + ")"))
                .hasMessageContaining("pass the earlier time first");
    }

    @Test
    void argumentsAreConditions() throws Exception {
        Map<Instant, List<String>> states = history(daysAgo(3));
        Instant time = List.copyOf(states.keySet()).get(14);
        assertThat(query("SELECT " + StoredRouter.COLUMNS + " FROM bmp.rib_at(" + at(time)
                        + ", 'load-0002', rib_view => 'adj-rib-in-post') ORDER BY 1"))
                .isEqualTo(states.get(time).stream()
                        .filter(route -> route.startsWith("load-0002|") && route.contains("|adj-rib-in-post|"))
                        .sorted()
                        .toList())
                .isNotEmpty();
        Instant later = List.copyOf(states.keySet()).get(20);
        String inside = "SELECT nlri, change FROM bmp.rib_diff(" + at(time) + ", " + at(later) + ", 'load-0001'%s)"
                + " WHERE prefix <<= '0.0.0.0/1' ORDER BY 1, 2";
        assertThat(query(inside.formatted(", within => '0.0.0.0/1'")))
                .isEqualTo(query(inside.formatted("")))
                .isNotEmpty();
    }

    private void write(TestBatch... batches) throws SQLException {
        List<RouteBatch> list = Arrays.stream(batches).map(TestBatch::build).toList();
        HistoryWriter writer = new HistoryWriter(new DimensionCache(100), new AttributeSets(1000));
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, writer.prepareBatches(connection, list)::write);
        }
    }

    @Test
    void ribDiffOfTimesThatNothingIsKnownOfIsAnErrorWhateverIsThere() throws SQLException {
        // Given: a history that begins yesterday, and nothing since
        write(of(7, daysAgo(3).getEpochSecond() - TestBatch.EIGHT / 1_000_000).announce("10.0.0.0/8", 1));
        query("SELECT bmp.take_snapshot('" + daysAgo(1) + "')");
        query("SELECT 1 FROM bmp.set_history_horizon('" + daysAgo(1) + "')");

        // Then: with times that the planner can evaluate, and others; of no day, of days before, of the
        // open one
        for (String time : List.of("'%s'", "(SELECT '%s'::timestamptz)")) {
            String diff = "SELECT prefix FROM bmp.rib_diff(" + time + ", " + time + ")";
            assertThat(query(diff.formatted(daysAgo(1), Instant.now()))).isEmpty();
            for (Instant[] times :
                    new Instant[][] {{daysAgo(20), daysAgo(19)}, {daysAgo(20), daysAgo(2)}, {daysAgo(2), Instant.now()}
                    }) {
                assertThatThrownBy(() -> query(diff.formatted(times[0], times[1])))
                        .hasMessageContaining("the history begins at");
                assertThatThrownBy(() -> query(diff.formatted(times[1], times[0])))
                        .hasMessageContaining("pass the earlier time first");
            }
        }
    }

    /** The times are those of the events in seconds after eight. */
    @Test
    void thePastHasWhetherATableWasSynchronized() throws SQLException {
        // Given two sessions, of which the first one ends with the peer
        sessionUp(1, 0);
        store(of(1, 0).message(0)
                .session(EventKind.SESSION_UP)
                .peerUp(PEER)
                .announce("10.0.0.0/8", 1)
                .announce(peer(11, 11, RibView.ADJ_RIB_IN_POST_POLICY), "10.0.0.0/8", 1));
        store(of(1, 10).message(10).endOfRib(PEER, Family.IPV4_UNICAST));
        store(of(1, 20).message(20).endOfRib(PEER, Family.IPV4_UNICAST));
        store(of(1, 30).message(30).peerDown(PEER, true));
        store(of(1, 40).message(40).peerUp(PEER).announce("10.0.0.0/8", 2));
        store(of(1, 50).message(50).endOfRib(PEER, Family.IPV4_UNICAST));
        // Kafka delivers records again
        store(of(1, 10).message(10).endOfRib(PEER, Family.IPV4_UNICAST));
        store(of(1, 30).message(30).peerDown(PEER, true));
        store(of(1, 40).message(40).peerUp(PEER).announce("10.0.0.0/8", 2));
        store(of(1, 50).message(50).endOfRib(PEER, Family.IPV4_UNICAST));
        sessionUp(2, 60);
        store(of(2, 60).message(60).session(EventKind.SESSION_UP).peerUp(PEER).announce("10.0.0.0/8", 3));
        store(of(2, 70).message(70).endOfRib(PEER, 0));
        String at =
                "SELECT rib_view, table_synchronized FROM bmp.rib_at(timestamptz '2026-11-21 08:00+00' + interval '%d s')"
                        + " ORDER BY 1";
        // Then it is unknown before the database recorded it
        assertThat(query(at.formatted(75))).containsExactly("adj-rib-in-pre|-");

        assertThat(query("UPDATE bmp.table_synchronization_start SET recorded_from = '2026-11-01' RETURNING 1"))
                .hasSize(1);
        assertThat(query(at.formatted(5))).containsExactly("adj-rib-in-post|f", "adj-rib-in-pre|f");
        assertThat(query(at.formatted(10))).containsExactly("adj-rib-in-post|f", "adj-rib-in-pre|t");
        assertThat(query(at.formatted(29))).containsExactly("adj-rib-in-post|f", "adj-rib-in-pre|t");
        assertThat(query(at.formatted(45))).containsExactly("adj-rib-in-pre|f");
        assertThat(query(at.formatted(50))).containsExactly("adj-rib-in-pre|t");
        assertThat(query(at.formatted(65))).as("in the next session").containsExactly("adj-rib-in-pre|f");
        assertThat(query(at.formatted(70))).containsExactly("adj-rib-in-pre|t");
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE table_synchronized"))
                .containsExactly("1");

        // When what has ended is purged, what still counts remains
        query("SELECT bmp.purge_batch('table_synchronization', now() - '2026-11-21 08:00:40+00')");
        assertThat(query(
                        "SELECT session_id, extract(second FROM synchronized_from)::integer FROM bmp.table_synchronization"
                                + " WHERE family = 257 ORDER BY synchronized_from"))
                .containsExactly("1|50");
        assertThat(query(at.formatted(70))).containsExactly("adj-rib-in-pre|t");
    }

    private void sessionUp(long session, int second) throws SQLException {
        query("SELECT bmp.apply_peer_events('[{\"event\":\"session-up\",\"collector\":\"c1\",\"router\":\"r1\","
                + "\"router_address\":\"192.0.2.1\",\"session_id\":%d,\"sequence\":0,\"received_at\":\"2026-11-21T08:00:%02dZ\"}]')"
                        .formatted(session, second));
    }

    /** Writes a batch into the history and the current state. */
    private void store(TestBatch batch) throws SQLException {
        RouteBatch routes = batch.build();
        HistoryWriter history = new HistoryWriter(new DimensionCache(100), new AttributeSets(1000));
        CurrentStateWriter state = new CurrentStateWriter(new DimensionCache(100), new AttributeSets(1000));
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, history.prepareBatches(connection, List.of(routes))::write);
            LaneTransaction.run(connection, state.prepareBatches(connection, List.of(routes))::write);
        }
    }

    @Test
    void aRouterWhoseCollectorDiedIsStaleFromTheNextStartOn() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", 1));
        String event = "SELECT bmp.apply_peer_events('[{\"event\":\"%s\",\"collector\":\"%s\",\"router\":\"r1\","
                + "\"router_address\":\"192.0.2.1\",\"session_id\":%d,\"sequence\":0,\"received_at\":\"2026-11-21T08:%02d:00Z\"}]')";
        query(event.formatted("session-up", "c1", 7, 0));
        query(event.formatted("collector-start", "c1", 8, 10));
        query(event.formatted("collector-start", "c2", 9, 10));
        String stale = "SELECT stale FROM bmp.rib_at('2026-11-21 08:%02d+00')";
        assertThat(query(stale.formatted(9))).containsExactly("f");
        assertThat(query(stale.formatted(10))).containsExactly("t");

        // When: it connects to another, which starts once more then
        query(event.formatted("session-up", "c2", 10, 20));
        assertThat(query(stale.formatted(20))).containsExactly("f");
        query(event.formatted("collector-start", "c2", 11, 30));
        assertThat(query(stale.formatted(30))).containsExactly("t");
        assertThat(query(stale.formatted(9))).containsExactly("f");
    }

    @Test
    void unsignedValuesAreThemselves() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", -1), of(8, 10).announce("10.0.0.0/8", -2));
        assertThat(query("SELECT peer_asn, as_path, med FROM bmp.rib_at('2026-11-21 08:00:05+00')"))
                .containsExactly("4200000011|4200000011 64500|4294967295");
        assertThat(query("SELECT peer_asn, change, changed, old_med, new_med"
                        + " FROM bmp.rib_diff('2026-11-21 08:00:05+00', '2026-11-21 08:00:15+00')"))
                .containsExactly("4200000011|changed|{med}|4294967295|4294967294");
        assertThat(query("SELECT med FROM bmp.route_timeline('10.0.0.0/8')"))
                .containsExactly("4294967295", "4294967294");
    }

    @Test
    void theOrderIsThatOfSessionsAndSequences() throws SQLException {
        // An old session whose last words are read after the new one began
        write(of(8, 0).announce("10.0.0.0/8", 2), of(7, 1).announce("10.0.0.0/8", 1));
        assertThat(query("SELECT med FROM bmp.rib_at('2026-11-21 08:00:05+00')"))
                .containsExactly("2");
        assertThat(query("SELECT count(*) FROM bmp.rib_diff('2026-11-21 08:00:00.5+00', '2026-11-21 08:00:05+00')"))
                .containsExactly("0");
    }

    @Test
    void aPeerThatIsDownHasNoRoutesFromThatMomentOn() throws SQLException {
        // Given: 10/8 comes again after the Peer Down
        write(of(7, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 1));
        List<RouteBatch> down = List.of(
                of(8, 10).peerDown(PEER, true).build(),
                of(9, 20).announce("10.0.0.0/8", 2).build());
        try (Connection connection = database.getConnection()) {
            DimensionCache dimensions = new DimensionCache(10);
            AttributeSets sets = new AttributeSets(10);
            List<RouteBatch> before = List.of(
                    of(7, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 1).build());
            CurrentStateWriter current = new CurrentStateWriter(dimensions, sets);
            LaneTransaction.run(connection, current.prepareBatches(connection, before)::write);
            for (RouteBatch batch : down) {
                LaneTransaction.run(connection, current.prepareBatches(connection, List.of(batch))::write);
                LaneTransaction.run(
                        connection,
                        new HistoryWriter(dimensions, sets).prepareBatches(connection, List.of(batch))::write);
            }
            String rib = "SELECT prefix, med FROM bmp.rib_at('2026-11-21 08:00:%s+00') ORDER BY 1";

            // Then: before its routes' withdrawals are written, but of the one that came again
            assertThat(query("SELECT prefix FROM bmp.v_route_history WHERE synthetic"))
                    .containsExactly("10.0.0.0/8");
            assertThat(query(rib.formatted("09"))).containsExactly("10.0.0.0/8|1", "11.0.0.0/8|1");
            assertThat(query(rib.formatted("10"))).isEmpty();
            assertThat(query(rib.formatted("20"))).containsExactly("10.0.0.0/8|2");

            // When: they are
            new Withdrawals(100, () -> true).purge(connection);

            // Then: the same
            assertThat(query("SELECT count(*) FROM bmp.v_route_history WHERE synthetic"))
                    .containsExactly("2");
            assertThat(query(rib.formatted("09"))).containsExactly("10.0.0.0/8|1", "11.0.0.0/8|1");
            assertThat(query(rib.formatted("10"))).isEmpty();
            assertThat(query(rib.formatted("20"))).containsExactly("10.0.0.0/8|2");
        }
    }

    @Test
    void aPeerThatIsDownIsSoForDifferencesAndTimelinesBeforeItsWithdrawalsAreWritten() throws SQLException {
        // Given: a peer that goes down and whose 10/8 is back later
        DimensionCache dimensions = new DimensionCache(10);
        AttributeSets sets = new AttributeSets(10);
        byte[] macIp = TestBatch.hex(TestBatch.MAC_IP + "0138a1");
        List<RouteBatch> batches = List.of(
                of(7, 0).announce("10.0.0.0/8", 1)
                        .announce("11.0.0.0/8", 1)
                        .announce(PEER, Family.EVPN, macIp, false, TestBatch.attributes(1))
                        .announce(peer(12, 12, RibView.ADJ_RIB_IN_PRE_POLICY), "10.0.0.0/8", 1)
                        .build(),
                of(8, 10).peerDown(PEER, true).build(),
                of(9, 20).announce("10.0.0.0/8", 2).build());
        try (Connection connection = database.getConnection()) {
            for (RouteBatch batch : batches.subList(0, 2)) {
                LaneTransaction.run(
                        connection,
                        new CurrentStateWriter(dimensions, sets).prepareBatches(connection, List.of(batch))::write);
            }
            // The history is further than the state
            for (RouteBatch batch : batches) {
                LaneTransaction.run(
                        connection,
                        new HistoryWriter(dimensions, sets).prepareBatches(connection, List.of(batch))::write);
            }
            String diff = "SELECT change, coalesce(prefix::text, family), old_med, new_med, synthetic"
                    + " FROM bmp.rib_diff('2026-11-21 08:00:%s+00', '2026-11-21 08:00:%s+00') ORDER BY 2";
            List<String> down = List.of("removed|10.0.0.0/8|1|-|t", "removed|11.0.0.0/8|1|-|t", "removed|evpn|1|-|t");
            String timeline = "SELECT change, med FROM bmp.route_timeline('%s', peer_address => '192.0.2.11')";
            for (boolean written : new boolean[] {false, true}) {
                // Then
                assertThat(query(diff.formatted("05", "15")))
                        .as("written %s", written)
                        .isEqualTo(down);
                assertThat(query(diff.formatted("05", "25")))
                        .containsExactly("changed|10.0.0.0/8|1|2|f", "removed|11.0.0.0/8|1|-|t", "removed|evpn|1|-|t");
                assertThat(query(diff.formatted("15", "25"))).containsExactly("added|10.0.0.0/8|-|2|f");
                assertThat(query(timeline.formatted("10.0.0.0/8"))).containsExactly("new|1", "withdrawn|-", "new|2");
                assertThat(query(timeline.formatted("11.0.0.0/8"))).containsExactly("new|1", "withdrawn|-");

                // When: they are written
                LaneTransaction.run(
                        connection,
                        new CurrentStateWriter(dimensions, sets).prepareBatches(connection, batches.subList(2, 3))
                                ::write);
                new Withdrawals(100, () -> true).purge(connection);
            }
        }
    }

    @Test
    void theTimelineShowsWhatEachEventChanged() throws SQLException {
        write(
                of(7, 0).announce("10.0.0.0/8", 1).announce("10.0.0.0/8", 1).announce("10.0.0.0/8", 2),
                of(8, 1).withdraw("10.0.0.0/8").withdraw("10.0.0.0/8").announce(PEER, "10.0.0.0/8", 2),
                of(7, 2).announce("11.0.0.0/8", 2));
        assertThat(query("SELECT received_at - '2026-11-21 08:00+00', event, change, changed, med"
                        + " FROM bmp.route_timeline('10.0.0.0/8', 'r1', '192.0.2.11')"))
                .containsExactly(
                        "00:00:00|announce|new|-|1",
                        "00:00:00|announce|repeated|{}|1",
                        "00:00:00|announce|changed|{med}|2",
                        "00:00:01|withdraw|withdrawn|-|-",
                        "00:00:01|withdraw|was not there|-|-",
                        "00:00:01|announce|new|-|2");
        assertThat(query("SELECT count(*) FROM bmp.route_timeline('10.0.0.0/8', 'r2')"))
                .containsExactly("0");
    }

    @Test
    void theTimelineGoesBackToBeforeTheHorizon() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 1));
        query("SELECT bmp.take_snapshot('2026-11-22')");
        query("SELECT 1 FROM bmp.set_history_horizon('2026-11-22')");
        write(of(8, 86_400).announce("10.0.0.0/8", 3));
        assertThat(query("SELECT received_at, change, changed, med FROM bmp.route_timeline('10.0.0.0/8')"))
                .hasSize(2)
                .satisfies(rows -> assertThat(rows.getFirst()).endsWith("|new|-|1"))
                .satisfies(rows -> assertThat(rows.getLast()).endsWith("|changed|{med}|3"));
    }

    /** Conditions are applied by the scans, and nothing is joined or sorted that was not requested. */
    @Test
    void aPrefixReachesTheIndexOfADay() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", 1));
        query("SELECT bmp.take_snapshot('2026-11-22')");
        try (Connection connection = database.getConnection()) {
            connection
                    .createStatement()
                    .execute("CREATE INDEX i ON bmp.route_event_20261121 (prefix, received_at);"
                            + " SET enable_seqscan = off; SET enable_bitmapscan = off");
            List<String> queries = List.of(
                    "SELECT as_path FROM bmp.rib_at('2026-11-21 12:00+00') WHERE prefix = '10.0.0.0/8'",
                    "SELECT as_path FROM bmp.rib_at('2026-11-21 12:00+00') WHERE prefix = ANY (bmp.covering('10.1.2.3'))",
                    "SELECT change FROM bmp.route_timeline('10.0.0.0/8')");
            for (String query : queries) {
                assertThat(plan(connection, query))
                        .contains("Index Cond: (((prefix)::inet = ")
                        .doesNotContain("peer_event", "snapshot_events");
            }

            // Given an open day, whose index ends before the time and is used for its part
            connection
                    .createStatement()
                    .execute(
                            "DROP INDEX bmp.i; CREATE INDEX route_event_20261121_until_090000 ON bmp.route_event_20261121"
                                    + " (prefix) WHERE received_at <= '2026-11-21 09:00+00'; SET plan_cache_mode = force_generic_plan;"
                                    + " PREPARE at (timestamptz, cidr) AS SELECT as_path FROM bmp.rib_at($1) WHERE prefix = $2;"
                                    + " RESET enable_bitmapscan");
            List<String> all = new ArrayList<>(queries);
            all.add("SELECT as_path FROM bmp.rib_at('2026-11-21 08:30+00') WHERE prefix = '10.0.0.0/8'");
            all.add("EXECUTE at ('2026-11-21 12:00+00', '10.0.0.0/8')");
            for (String query : all) {
                assertThat(plan(connection, query)).contains("route_event_20261121_until_090000", "(prefix)::inet = ");
            }
            assertThat(plan(connection, all.get(3)))
                    .as("a time before the rest")
                    .doesNotContain("route_event_20261121_received_at_idx");

            // Given a second part, whose index is used for it too
            connection
                    .createStatement()
                    .execute(
                            "CREATE INDEX route_event_20261121_from_090000_until_100000 ON bmp.route_event_20261121 (prefix)"
                                    + " WHERE received_at > '2026-11-21 09:00+00' AND received_at <= '2026-11-21 10:00+00'");
            for (String query : all) {
                assertThat(plan(connection, query)).contains("route_event_20261121_until_090000");
            }
            all.remove(3);
            for (String query : all) {
                assertThat(plan(connection, query)).contains("route_event_20261121_from_090000_until_100000");
            }
            all.set(0, "SELECT as_path FROM bmp.rib_at('2026-11-21 09:30+00') WHERE prefix = '10.0.0.0/8'");
            assertThat(plan(connection, all.getFirst()))
                    .as("a time before the rest")
                    .doesNotContain("route_event_20261121_received_at_idx");
        }
    }

    private static String plan(Connection connection, String query) throws SQLException {
        List<String> plan = new ArrayList<>();
        try (var rows = connection.createStatement().executeQuery("EXPLAIN " + query)) {
            while (rows.next()) {
                plan.add(rows.getString(1));
            }
        }
        return String.join("\n", plan);
    }
}
