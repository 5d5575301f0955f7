package dev.silkroute.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
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
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The station's counts against the router's: equal, different, or unknown where they are not comparable. */
class ReconcileIT {
    private static final String STATES =
            "SELECT state, reason, count(*) FROM bmp.reconcile() GROUP BY 1, 2 ORDER BY 1, 2";
    private static final String MEASURE =
            "SELECT rib_view, equal, differs, unknown, overdue FROM bmp.reconcile_measure('1 hour', '%s')";
    /** Tables of one router: 3 peers in 4 views and its Loc-RIB, 9 families and all together. */
    private static final int TABLES = (3 * 4 + 1) * 10;

    @AutoClose
    private final AgroalDataSource database = TestPostgres.pool();

    private final StoredRouter router = new StoredRouter(
            database,
            TestLoad.of(5, 3, 20).allFamiliesAndViews().changes(300).plan(),
            0,
            Instant.now().toEpochMilli() * 1000);

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private static Instant ago(int seconds) {
        return Instant.now().minusSeconds(seconds);
    }

    @Test
    void givenARouterThatCountsThenAllTablesAreEqualBeforeAndAfterChanges() throws Exception {
        router.tables(ago(60));
        assertThat(query(STATES)).containsExactly("equal|-|" + TABLES);

        // When: changes after its statistics
        router.steps(150, ago(50));

        // Then: what differs is what may well have changed since
        assertThat(query("SELECT DISTINCT coalesce(reason, state) FROM bmp.reconcile() ORDER BY 1"))
                .containsExactly("changing", "equal");
        assertThat(query("SELECT count(*) FROM bmp.reconcile() WHERE abs(difference) > changes_since"))
                .containsExactly("0");
        assertThat(query("SELECT DISTINCT difference = 0, changes_since IS NULL FROM bmp.reconcile() ORDER BY 1"))
                .as("changes are counted where the counts differ")
                .containsExactly("f|f", "t|t");

        // When: the statistics after the last change
        router.rest(ago(40));
        assertThat(query(STATES)).containsExactly("equal|-|" + TABLES);
        assertThat(query(MEASURE.formatted("0")))
                .containsExactly(
                        "adj-rib-in-pre|30|0|0|0",
                        "adj-rib-in-post|30|0|0|0",
                        "adj-rib-out-pre|30|0|0|0",
                        "adj-rib-out-post|30|0|0|0",
                        "loc-rib|10|0|0|0");
    }

    @Test
    void givenADifferenceThatTheLastSecondsExplainThenOlderChangesAreNotCounted() throws Exception {
        Instant now = Instant.now();
        router.tables(now.minusSeconds(60));
        router.steps(120, now.minusSeconds(50));
        router.steps(120, now.minusSeconds(5));

        String counts = """
                SELECT r.changes_since = e.recent, r.changes_since = e.all_later, count(*)
                FROM bmp.reconcile('1 hour', '%1$s') r CROSS JOIN LATERAL (
                  SELECT count(*) FILTER (WHERE received_at >= timestamptz '%1$s' - interval '10 seconds') AS recent,
                    count(*) FILTER (WHERE received_at > r.statistic_at) AS all_later
                  FROM bmp.route_event WHERE peer_id = r.peer_id AND rib_view = bmp.rib_view_code(r.rib_view)) e
                WHERE r.family IS NULL AND r.difference <> 0 AND e.recent < e.all_later
                  AND abs(r.difference) %2$s e.recent GROUP BY 1, 2""";
        assertThat(query(counts.formatted(now, "<=")))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("t|f|");
        assertThat(query(counts.formatted(now, ">")))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("f|t|");
    }

    @Test
    void givenARouteTooFewThenThatTableDiffersAndRaisesTheAlarmInTime() throws Exception {
        // Given
        router.tables(ago(60));
        String lost = "(SELECT tableoid, ctid FROM bmp.rib_route WHERE family = 257 AND rib_view = 1 LIMIT 1)";
        execute("CREATE TABLE lost AS SELECT * FROM bmp.rib_route WHERE (tableoid, ctid) = " + lost);
        execute("DELETE FROM bmp.rib_route WHERE (tableoid, ctid) = " + lost);

        // Then
        assertThat(query("SELECT rib_view, family, name, station_count, router_count, difference, differs_since"
                        + " FROM bmp.reconcile() WHERE state = 'differs'"))
                .containsExactly(
                        "adj-rib-in-post|-|adj-rib-in-post-policy-routes|179|180|-1|-",
                        "adj-rib-in-post|ipv4-unicast|adj-rib-in-post-policy-routes-per-family|19|20|-1|-");

        // When: measured twice
        assertThat(query(MEASURE.formatted("1 hour"))).contains("adj-rib-in-post|28|2|0|0");
        assertThat(query("SELECT count(*) FROM bmp.reconcile() WHERE differs_since = (SELECT min(since) FROM"
                        + " bmp.reconcile_difference)"))
                .containsExactly("2");
        assertThat(query(MEASURE.formatted("1 hour"))).contains("adj-rib-in-post|28|2|0|0");
        assertThat(query(MEASURE.formatted("0"))).contains("adj-rib-in-post|28|2|0|2");

        // When: it changes too much to be compared, then it is well again
        execute("UPDATE bmp.route_event SET sequence = sequence + 10000000000");
        assertThat(query(MEASURE.formatted("0"))).contains("adj-rib-in-post|28|0|2|2");
        execute("INSERT INTO bmp.rib_route SELECT * FROM lost");
        assertThat(query(MEASURE.formatted("0"))).contains("adj-rib-in-post|30|0|0|0");
        assertThat(query("SELECT count(*) FROM bmp.reconcile_difference")).containsExactly("0");
        execute("DROP TABLE lost");
    }

    @Test
    void givenATableThatComesAgainAsItWasThenADifferenceMayBeWhatCameSinceTheGauge() throws Exception {
        // Given: a table that comes again, its gauge after the first route of it
        long start = ago(600).getEpochSecond() - TestBatch.EIGHT / 1_000_000;
        write(TestBatch.of(1, start)
                .session(EventKind.SESSION_UP)
                .peerUp(TestBatch.PEER)
                .announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 1)
                .announce("12.0.0.0/8", 1)
                .announce("13.0.0.0/8", 1));
        write(TestBatch.of(2, start + 60)
                .session(EventKind.SESSION_UP)
                .peerUp(TestBatch.PEER)
                .dump()
                .announce("10.0.0.0/8", 1));
        query(
                "SELECT bmp.apply_statistics('[{\"event\":\"statistics\",\"collector\":\"c1\",\"router\":\"r1\",\"session_id\":2,"
                        + "\"sequence\":3,\"received_at\":\"" + ago(530) + "\",\"peer_type\":\"global\","
                        + "\"peer_distinguisher\":\"0000000000000000\",\"peer_address\":\"192.0.2.11\",\"peer_asn\":4200000011,"
                        + "\"peer_bgp_id\":\"10.0.0.11\",\"rib_view\":\"adj-rib-in-pre\","
                        + "\"statistics\":[{\"type\":7,\"name\":\"x\",\"value\":\"4\"}]}]')");
        String state = "SELECT state, reason, station_count, difference FROM bmp.reconcile() WHERE family IS NULL";

        // When: the rest is on its way; then it is through
        write(TestBatch.of(2, start + 80).dump().announce("11.0.0.0/8", 1).announce("12.0.0.0/8", 1));
        assertThat(query(state)).containsExactly("unknown|changing|3|-1");
        TestBatch end = TestBatch.of(2, start + 90);
        for (int i = 0; i < 9; i++) {
            end.session(EventKind.SESSION_UP);
        }
        write(end.endOfRib(TestBatch.PEER, Family.IPV4_UNICAST));
        try (Connection connection = database.getConnection()) {
            new Withdrawals(100, () -> true).purge(connection);
        }

        // Then: a route that is missing is a difference, or its withdrawal is the reason
        assertThat(query(state)).containsExactly("unknown|changing|3|-1");
        execute("DELETE FROM bmp.route_event WHERE synthetic");
        assertThat(query(state)).containsExactly("differs|-|3|-1");
    }

    private void write(TestBatch batch) throws SQLException {
        List<RouteBatch> batches = List.of(batch.build());
        DimensionCache dimensions = new DimensionCache(10);
        AttributeSets sets = new AttributeSets(10);
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(
                    connection, new HistoryWriter(dimensions, sets).prepareBatches(connection, batches)::write);
            LaneTransaction.run(
                    connection, new CurrentStateWriter(dimensions, sets).prepareBatches(connection, batches)::write);
        }
    }

    @Test
    void givenARouterWithoutStatisticsOrASessionThatEndedThenTheStateIsUnknown() throws Exception {
        router.tables(ago(60));
        router.lose(ago(10));
        assertThat(query(STATES)).containsExactly("unknown|no statistic|117"); // without totals: nobody counted them
        execute("TRUNCATE bmp.statistic");
        assertThat(query(STATES)).containsExactly("unknown|no statistic|117");
        assertThat(query(MEASURE.formatted("0"))).contains("loc-rib|0|0|9|0");
    }

    @Test
    void givenStatisticsTooOldThenTheyDontCount() throws Exception {
        router.tables(ago(7200));
        assertThat(query("SELECT DISTINCT state, reason FROM bmp.reconcile()")).containsExactly("unknown|no statistic");
        assertThat(query("SELECT DISTINCT state, reason FROM bmp.reconcile('3 hours')"))
                .containsExactly("equal|-");
    }

    @Test
    void givenAPeerThatWentSinceThenItsOldCountIsNoDifference() throws Exception {
        router.tables(ago(60));
        execute("DELETE FROM bmp.rib_route");
        execute("UPDATE bmp.rib_table SET empty = true");
        execute("UPDATE bmp.peer_state SET up = false, sequence = 1000000000000");
        assertThat(query("SELECT DISTINCT state, reason FROM bmp.reconcile()"))
                .containsExactly("unknown|peer went up or down since");
        execute("UPDATE bmp.peer_state SET up = false, sequence = 0");
        assertThat(query("SELECT DISTINCT state, reason FROM bmp.reconcile()"))
                .containsExactly("unknown|view not monitored");
    }
}
