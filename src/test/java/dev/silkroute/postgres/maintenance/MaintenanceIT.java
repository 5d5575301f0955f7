package dev.silkroute.postgres.maintenance;

import static dev.silkroute.postgres.TestBatch.of;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Maintenance closes days, takes snapshots and removes old rows, keeps what is needed, and never blocks writers. */
class MaintenanceIT {
    private static final Instant MIDNIGHT = Instant.now().truncatedTo(ChronoUnit.DAYS);

    private final DataSource database = TestPostgres.database();
    private final Map<String, Integer> steps = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private Duration closeAfter = Duration.ZERO;
    private long indexAfter;

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private Maintenance maintenance(Duration history) {
        MaintenanceSettings settings = new MaintenanceSettings(
                history,
                Duration.ofDays(7),
                closeAfter,
                Duration.ofDays(30),
                Duration.ofDays(400),
                Duration.ofDays(7),
                Duration.ZERO,
                Duration.ofDays(400),
                indexAfter);
        return new Maintenance(database, settings, new Maintenance.Listener() {
            @Override
            public void done(String step, long nanos) {
                steps.merge(step, 1, Integer::sum);
            }

            @Override
            public void failed(String step, SQLException reason) {
                failures.add(step + ": " + reason.getMessage());
            }
        });
    }

    private void run(Duration history) throws SQLException {
        steps.clear();
        maintenance(history).run(1000);
        assertThat(failures).isEmpty();
    }

    /** A batch received so many days ago, at eight; each day has a session of its own. */
    private static TestBatch ago(int days) {
        return ago("r1", days);
    }

    private static TestBatch ago(String router, int days) {
        long seconds =
                MIDNIGHT.minus(days, ChronoUnit.DAYS).plus(8, ChronoUnit.HOURS).getEpochSecond();
        return of(router, 1000 - days, seconds - TestBatch.EIGHT / 1_000_000);
    }

    private void write(AttributeSets sets, TestBatch... batches) throws SQLException {
        List<RouteBatch> list = Arrays.stream(batches).map(TestBatch::build).toList();
        DimensionCache dimensions = new DimensionCache(100);
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(
                    connection, new HistoryWriter(dimensions, sets).prepareBatches(connection, list)::write);
            LaneTransaction.run(
                    connection, new CurrentStateWriter(dimensions, sets).prepareBatches(connection, list)::write);
        }
    }

    private void write(TestBatch... batches) throws SQLException {
        write(new AttributeSets(100), batches);
    }

    private List<String> partitions() throws SQLException {
        return query("SELECT to_date(right(name, 8), 'YYYYMMDD') - (now() AT TIME ZONE 'UTC')::date, state"
                + " FROM bmp.history_partitions() ORDER BY 1");
    }

    @Test
    void givenAnEmptyDatabaseThenDaysAreMadeAheadAndTheRestIsNothing() throws SQLException {
        run(Duration.ofDays(30));
        assertThat(partitions()).containsExactly("0|attached", "1|attached", "2|attached", "3|attached");
        run(Duration.ofDays(30));
        assertThat(steps).isEmpty();
    }

    @Test
    void givenADayThatIsOverThenItHasAnIndexAndStatisticsAndTheOpenOneHasNot() throws SQLException {
        write(ago(1).announce("10.0.0.0/8", 1), ago(0).announce("10.0.0.0/8", 2));
        run(Duration.ofDays(30));
        assertThat(query("SELECT count(*), min(events) FROM bmp.history_day")).containsExactly("1|1");
        assertThat(
                        query(
                                "SELECT indisvalid, pg_get_indexdef(indexrelid) LIKE '%(prefix, received_at) WITH (fillfactor=''100'')'"
                                        + " FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relname LIKE 'route_event_%_prefix'"))
                .containsExactly("t|t");
    }

    @Test
    void givenAnIndexWhoseBuildWasInterruptedThenItIsBuiltAgain() throws SQLException {
        write(ago(1).announce("10.0.0.0/8", 1));
        run(Duration.ofDays(30));
        execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid ="
                + " (SELECT oid FROM pg_class WHERE relname LIKE 'route_event_%_prefix')");
        execute("DELETE FROM bmp.history_day");
        run(Duration.ofDays(30));
        assertThat(query("SELECT indisvalid FROM pg_index JOIN pg_class c ON c.oid = indexrelid"
                        + " WHERE relname LIKE 'route_event_%_prefix'"))
                .containsExactly("t");
        assertThat(steps).containsEntry("close", 3); // drop, create, close
    }

    private static final String EVENTS =
            "INSERT INTO bmp.route_event (received_at, session_id, sequence, peer_id, family, rib_view, action, synthetic,"
                    + " attribute_hash, prefix) SELECT timestamptz '%s' + n * interval '1 second', 1000, n << 16, 1, 257, 0,"
                    + " (n %% 5 <> 0)::integer, false, gen_random_uuid(), set_masklen('10.0.0.0'::cidr + n %% 40 * 256, 24)::cidr"
                    + " FROM generate_series(%d, %d) n";

    private List<String> openDayIndexes() throws SQLException {
        return query(
                "SELECT day - (now() AT TIME ZONE 'UTC')::date,"
                        + " CASE WHEN indexed_from <> '-infinity' THEN (indexed_from - bmp.day_start(day)) || ' to ' ELSE '' END"
                        + " || (indexed_until - bmp.day_start(day)), valid FROM bmp.open_day_indexes() ORDER BY 1, indexed_until");
    }

    private static String secondsOf(int days, int from, int to) {
        return EVENTS.formatted(MIDNIGHT.minus(days, ChronoUnit.DAYS), from, to);
    }

    /** Yesterday has an event in each of its first seconds and is not closed yet. */
    private void runWithYesterdayOpen(int indexAfter, int seconds) throws SQLException {
        closeAfter = Duration.ofDays(3);
        this.indexAfter = indexAfter;
        execute("SELECT bmp.ensure_partitions(now() - interval '1 day', now())");
        execute(secondsOf(1, 1, seconds));
        run(Duration.ofDays(30));
    }

    /** Every prefix at three times: within the part with an index, at its end, and behind it. */
    private List<String> past(int days, int end) throws SQLException {
        Instant day = MIDNIGHT.minus(days, ChronoUnit.DAYS);
        return query("SELECT ts, p.prefix, r.attribute_hash, t.received_at FROM generate_series(0, 39) n,"
                + " LATERAL (SELECT set_masklen('10.0.0.0'::cidr + n * 256, 24)::cidr) p (prefix),"
                + " unnest(ARRAY['%s', '%s', '%s']::timestamptz[]) ts"
                        .formatted(day.plusSeconds(777), day.plusSeconds(2000), day.plusSeconds(end))
                + " LEFT JOIN LATERAL (SELECT * FROM bmp.last_events(ts, NULL, NULL, NULL) e WHERE e.prefix = p.prefix) r ON true"
                + " LEFT JOIN LATERAL (SELECT max(received_at) AS received_at FROM bmp.route_event h"
                + " WHERE h.prefix = p.prefix AND h.received_at <= ts) t ON true ORDER BY 1, 2");
    }

    @Test
    void givenAnOpenDayWithManyEventsThenItsFirstPartHasAnIndexUntilTheDayIsClosed() throws SQLException {
        runWithYesterdayOpen(1500, 1000);
        assertThat(openDayIndexes()).as("few events").isEmpty();

        // When
        execute(secondsOf(1, 1001, 2000));
        List<String> before = past(1, 2000);
        run(Duration.ofDays(30));

        // Then
        assertThat(openDayIndexes()).containsExactly("-1|00:33:20|t");
        assertThat(past(1, 2000)).isEqualTo(before).hasSize(120);
        assertThat(steps).containsEntry("index", 1);

        // When: fewer events arrive, one of them late
        execute(secondsOf(1, 2001, 2500));
        execute(secondsOf(1, 700, 700));
        before = past(1, 2500);
        run(Duration.ofDays(30));
        assertThat(openDayIndexes()).containsExactly("-1|00:33:20|t");

        // When: as many, and the build is interrupted
        execute(secondsOf(1, 2501, 4000));
        execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid ="
                + " (SELECT to_regclass('bmp.' || name) FROM bmp.open_day_indexes())");
        assertThat(past(1, 2500)).isEqualTo(before);
        run(Duration.ofDays(30));
        assertThat(openDayIndexes()).containsExactly("-1|01:06:40|t");
        assertThat(past(1, 2500)).isEqualTo(before);

        // When: today has as many events too, then the whole of yesterday gets its index first
        execute(secondsOf(0, 1, 2000));
        before = past(0, 2000);
        run(Duration.ofDays(30));
        assertThat(openDayIndexes()).containsExactly("0|00:33:20|t");
        assertThat(query("SELECT count(*) FROM pg_class WHERE relname ~ '^route_event_.*_prefix$'"))
                .containsExactly("1");
        assertThat(past(0, 2000)).isEqualTo(before);

        // When
        closeAfter = Duration.ZERO;
        run(Duration.ofDays(30));
        assertThat(query("SELECT day FROM bmp.history_day")).hasSize(1);
        assertThat(openDayIndexes()).containsExactly("0|00:33:20|t");
    }

    @Test
    void givenFewEventsAfterTheFirstPartThenTheyAreASecondPartUntilItIsAFifthOfTheFirst() throws SQLException {
        runWithYesterdayOpen(150, 2000);
        execute("ANALYZE bmp.route_event");
        assertThat(openDayIndexes()).containsExactly("-1|00:33:20|t");

        // When
        appendAndRun(2001, 2160);
        assertThat(openDayIndexes()).containsExactly("-1|00:33:20|t", "-1|00:33:20 to 00:36:00|t");
        assertThat(query("SELECT bmp.indexed_until() - bmp.first_part_until()")).containsExactly("00:02:40");

        // When
        appendAndRun(2161, 2170);
        assertThat(openDayIndexes()).as("few events").containsExactly("-1|00:33:20|t", "-1|00:33:20 to 00:36:00|t");

        // When
        appendAndRun(2171, 2320);
        assertThat(openDayIndexes()).containsExactly("-1|00:33:20|t", "-1|00:33:20 to 00:38:40|t");

        // When: its build is interrupted
        execute(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid ="
                        + " (SELECT to_regclass('bmp.' || name) FROM bmp.open_day_indexes() WHERE indexed_from <> '-infinity')");
        assertThat(query("SELECT bmp.indexed_until() = bmp.first_part_until()")).containsExactly("t");
        appendAndRun(2321, 2330);
        assertThat(openDayIndexes()).containsExactly("-1|00:33:20|t", "-1|00:33:20 to 00:38:50|t");

        // When
        appendAndRun(2331, 2500);
        assertThat(openDayIndexes()).containsExactly("-1|00:41:40|t");

        // When: the first part is lost
        appendAndRun(2501, 2660);
        execute("DROP INDEX bmp.\""
                + query("SELECT name FROM bmp.open_day_indexes() WHERE indexed_from = '-infinity'")
                        .getFirst() + '"');
        assertThat(query("SELECT bmp.indexed_until()")).containsExactly("infinity");
        appendAndRun(2661, 2670);
        assertThat(openDayIndexes()).containsExactly("-1|00:44:30|t");

        // When: the day is closed
        appendAndRun(2671, 2840);
        assertThat(openDayIndexes()).containsExactly("-1|00:44:30|t", "-1|00:44:30 to 00:47:20|t");
        closeAfter = Duration.ZERO;
        appendAndRun(2841, 2841);
        assertThat(openDayIndexes()).isEmpty();
        assertThat(query("SELECT bmp.first_part_until(), bmp.indexed_until()")).containsExactly("infinity|infinity");
    }

    /** Appends events to yesterday, whose past is the same before and after the indexes are built. */
    private void appendAndRun(int from, int to) throws SQLException {
        execute(secondsOf(1, from, to));
        List<String> before = past(1, to);
        run(Duration.ofDays(30));
        assertThat(past(1, to)).isEqualTo(before).hasSize(120);
    }

    @Test
    void anIndexIsBuiltByOneProcess() throws SQLException {
        execute("CREATE TABLE build (workers text)");
        execute("CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS"
                + " 'BEGIN INSERT INTO build VALUES (current_setting(''max_parallel_maintenance_workers'')); END'");
        execute("CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION note()");
        indexAfter = 500;
        execute("SELECT bmp.ensure_partitions(now(), now())");
        execute(secondsOf(0, 1, 1000));
        run(Duration.ofDays(30));
        assertThat(steps).containsEntry("index", 1);
        assertThat(query("SELECT DISTINCT workers FROM build")).containsExactly("0");
        assertThat(query("SHOW max_parallel_maintenance_workers")).isNotEqualTo(List.of("0"));
    }

    @Test
    void givenADayThatIsClosedThenItHasOneIndexOnThePrefix() throws SQLException {
        runWithYesterdayOpen(1, 10);
        assertThat(openDayIndexes()).containsExactly("-1|00:00:10|t");
        closeAfter = Duration.ZERO;
        run(Duration.ofDays(30));
        assertThat(openDayIndexes()).isEmpty();
        assertThat(query("SELECT bmp.indexed_until()")).containsExactly("infinity");
        assertThat(query("SELECT count(*) FROM bmp.history_day")).containsExactly("1");
    }

    @Test
    void givenHistoryOlderThanItIsKeptThenABaseTakesItsPlace() throws SQLException {
        // Given: one route announced once, long ago, and one that changes
        write(ago(12).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 1).announce("12.0.0.0/8", 1));
        for (int days = 11; days >= 0; days--) {
            TestBatch batch = ago(days).announce("11.0.0.0/8", 100 + days);
            write(days == 9 ? batch.withdraw("12.0.0.0/8") : batch);
        }

        // When
        run(Duration.ofDays(4));

        // Then: days before the horizon are deleted, later ones are not
        assertThat(partitions().getFirst()).isEqualTo("-4|attached");
        assertThat(query("SELECT count(*) FROM bmp.snapshot WHERE history_purged"))
                .containsExactly("1");
        String rib = "SELECT prefix, med FROM bmp.rib_at('%s') ORDER BY 1";
        assertThat(query(rib.formatted(MIDNIGHT.minus(3, ChronoUnit.DAYS))))
                .containsExactly("10.0.0.0/8|1", "11.0.0.0/8|104");
        assertThat(query(rib.formatted(MIDNIGHT.plus(1, ChronoUnit.DAYS))))
                .containsExactly("10.0.0.0/8|1", "11.0.0.0/8|100");

        // When: it is kept a shorter time
        run(Duration.ofDays(2));

        // Then: the older snapshots are removed with their tables
        assertThat(partitions().getFirst()).isEqualTo("-2|attached");
        assertThat(query("SELECT count(*) FROM bmp.snapshot_partitions()"))
                .isEqualTo(query("SELECT count(*) FROM bmp.snapshot"));
        assertThat(
                        query(
                                "SELECT min(snapshot_at) = bmp.day_start((now() AT TIME ZONE 'UTC')::date - 2) FROM bmp.snapshot"))
                .containsExactly("t");
        assertThat(query(rib.formatted(MIDNIGHT.minus(1, ChronoUnit.DAYS))))
                .containsExactly("10.0.0.0/8|1", "11.0.0.0/8|102");
    }

    @Test
    void givenAHistoryThatIsKeptForEverThenNothingGoes() throws SQLException {
        write(ago(300).announce("10.0.0.0/8", 1));
        run(Duration.ZERO);
        assertThat(partitions().getFirst()).isEqualTo("-300|attached");
    }

    @Test
    void givenAHistoryThatIsKeptForEverThenSnapshotsAreAsRareAsForOneThatIsKeptForLong() throws SQLException {
        // Given: the last base is of the midnight before the last
        String last = "SELECT snapshot_at = '" + MIDNIGHT.minus(1, ChronoUnit.DAYS) + "' FROM bmp.snapshot";
        write(ago(2).announce("10.0.0.0/8", 1), ago(1).announce("10.0.0.0/8", 2));
        run(Duration.ZERO);
        query("SELECT bmp.take_snapshot('" + MIDNIGHT.minus(1, ChronoUnit.DAYS) + "')");

        // Then
        run(Duration.ofDays(30));
        assertThat(query(last)).containsExactly("t");
        run(Duration.ZERO);
        assertThat(query(last)).containsExactly("t");
    }

    @Test
    void givenManyEventsThenSnapshotsAreTakenMoreOften() throws SQLException {
        write(ago(2).announce("10.0.0.0/8", 1), ago(1).announce("10.0.0.0/8", 2));
        run(Duration.ofDays(30));
        assertThat(query("SELECT count(*) FROM bmp.snapshot")).containsExactly("0");
        execute("UPDATE bmp.history_day SET events = 600000");
        run(Duration.ofDays(30));
        assertThat(query("SELECT snapshot_at, routes FROM bmp.snapshot WHERE snapshot_at = '" + MIDNIGHT + "'"))
                .hasSize(1);
    }

    @Test
    void givenLateEventsThenLaterSnapshotsAreTakenAgain() throws SQLException {
        // Given
        write(ago(9).announce("10.0.0.0/8", 1));
        write(ago(1).announce("11.0.0.0/8", 1));
        run(Duration.ofDays(30));
        assertThat(query("SELECT routes FROM bmp.snapshot")).containsExactly("2");

        // When: a writer that was behind by days with another router
        write(ago("r2", 8).announce("12.0.0.0/8", 1).announce("13.0.0.0/8", 1));
        assertThat(query("SELECT count(*) FROM bmp.history_late")).containsExactly("1");

        // Then: the snapshot is no longer valid, and is taken again when no more has come for a while
        run(Duration.ofDays(30));
        assertThat(query("SELECT count(*) FROM bmp.snapshot")).containsExactly("0");
        assertThat(query("SELECT count(*) FROM bmp.rib_at('" + MIDNIGHT + "')")).containsExactly("4");
        execute("UPDATE bmp.history_late SET recorded_at = recorded_at - interval '11 minutes'");
        run(Duration.ofDays(30));
        assertThat(query("SELECT routes FROM bmp.snapshot")).containsExactly("4");
        assertThat(query("SELECT count(*) FROM bmp.history_late")).containsExactly("0");
    }

    /** A collector whose clock is days behind, and that is the first to report events of such a day. */
    @Test
    void givenEventsOfADayThatNobodyHadUntilThereWasABaseBehindItThenTheBaseIsMadeAgain() throws SQLException {
        // Given: no event arrived for a week
        write(ago(12).announce("10.0.0.0/8", 1));
        write(ago(1).announce("11.0.0.0/8", 1));
        run(Duration.ofDays(30));
        assertThat(query("SELECT routes FROM bmp.snapshot")).containsExactly("2");
        assertThat(partitions()).doesNotContain("-6|attached");

        // When
        write(ago("r2", 6).announce("12.0.0.0/8", 1));
        run(Duration.ofDays(30));

        // Then
        assertThat(query("SELECT prefix FROM bmp.rib_at('" + MIDNIGHT + "') ORDER BY 1"))
                .containsExactly("10.0.0.0/8", "11.0.0.0/8", "12.0.0.0/8");
        execute("UPDATE bmp.history_late SET recorded_at = recorded_at - interval '11 minutes'");
        run(Duration.ofDays(30));
        assertThat(query("SELECT routes FROM bmp.snapshot")).containsExactly("3");
    }

    @Test
    void givenAWriterInAnOpenTransactionThenMaintenanceWaitsForNothingLong() throws SQLException {
        write(ago(1).announce("10.0.0.0/8", 1));
        try (Connection writer = database.getConnection()) {
            writer.setAutoCommit(false);
            writer.createStatement()
                    .execute("INSERT INTO bmp.route_event SELECT * FROM bmp.route_event WHERE prefix = '10.0.0.0/8'");
            steps.clear();
            maintenance(Duration.ofDays(30)).run(1000);
            assertThat(failures)
                    .singleElement()
                    .asString()
                    .startsWith("close: ")
                    .contains("lock timeout");
            assertThat(steps).containsKey("partitions").containsKey("attribute-sets"); // the others went on
            writer.rollback();
        }
        failures.clear();
        run(Duration.ofDays(30));
        assertThat(query("SELECT count(*) FROM bmp.history_day")).containsExactly("1");
    }

    @Test
    void givenAnotherStationAtItThenThereIsNothingToDo() throws SQLException {
        try (Connection other = database.getConnection()) {
            other.createStatement().execute("SELECT pg_advisory_lock(" + 0x73696c6b75706bL + ")");
            run(Duration.ofDays(30));
            assertThat(steps).isEmpty();
        }
        run(Duration.ofDays(30));
        assertThat(steps).containsKey("partitions");
    }

    @Test
    void whenItIsStoppedThenARunningStepEnds() throws Exception {
        write(ago(1).announce("10.0.0.0/8", 1));
        Maintenance maintenance = maintenance(Duration.ofDays(30));
        // an index build waits for who was there before it
        try (Connection reader = database.getConnection()) {
            execute("SELECT bmp.track_late_events((now() AT TIME ZONE 'UTC')::date - 1)");
            reader.setAutoCommit(false);
            reader.createStatement()
                    .execute("INSERT INTO bmp.route_event SELECT * FROM bmp.route_event WHERE prefix = '10.0.0.0/8'");
            Thread runner = Thread.ofVirtual().start(() -> {
                try {
                    maintenance.run(1000);
                } catch (SQLException e) {
                    failures.add(e.getMessage());
                }
            });
            await().until(() -> query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND query LIKE 'CREATE INDEX CONCURRENTLY%'")
                    .equals(List.of("1")));
            maintenance.stop();
            runner.join();
            reader.rollback();
        }
        assertThat(failures).isEmpty();
        run(Duration.ofDays(30));
        assertThat(query("SELECT count(*) FROM bmp.history_day")).containsExactly("1");
    }

    @Test
    void lowVolumeTablesAreDeletedInBatches() throws SQLException {
        execute(
                "INSERT INTO bmp.statistic (received_at, session_id, sequence, ordinal, router_id, peer_type, distinguisher, address,"
                        + " asn, bgp_id, rib_view, type) SELECT now() - n * interval '1 hour', 1, n, 0, 1, 0, 0, '192.0.2.1', 1, 1, 0, 7"
                        + " FROM generate_series(1, 200000, 1) n");
        execute("INSERT INTO bmp.quarantine (received_at, reason, bytes) VALUES ('2001-01-01', 'old', '')");
        execute("INSERT INTO bmp.alert (alert_id, alert_key, opened_at, notified_at, closed_at, record) SELECT n, n,"
                + " '2001-01-01', '2001-01-01', closed, '{}' FROM (VALUES ('open', NULL), ('old', timestamptz '2001-01-02'),"
                + " ('new', now())) a (n, closed)");
        run(Duration.ofDays(30));
        assertThat(query("SELECT count(*) FROM bmp.statistic")).containsExactly("719"); // of 30 days
        assertThat(steps)
                .hasEntrySatisfying("statistic", batches -> assertThat(batches).isGreaterThan(1));
        assertThat(query("SELECT count(*) FROM bmp.quarantine")).containsExactly("1"); // kept for ever
        assertThat(query("SELECT alert_id FROM bmp.alert ORDER BY 1")).containsExactly("new", "open");
    }

    /** A router can name any number of peers, and a network any number of routers. */
    @Test
    void peersAndRoutersThatEndedLongAgoAreForgotten() throws SQLException {
        execute("INSERT INTO bmp.router (name, session_id, connected, connected_at, disconnected_at) VALUES"
                + " ('gone', 1, false, now() - interval '900 days', now() - interval '800 days'),"
                + " ('absent', 1, false, now() - interval '900 days', now() - interval '1 day'),"
                + " ('here', 2, true, now() - interval '100 days', NULL)");
        execute("INSERT INTO bmp.peer (router_id, peer_type, distinguisher, address, bgp_id, asn)"
                + " SELECT router_id, 0, n, '192.0.2.1', 1, 1 FROM bmp.router, generate_series(1, 3) n");
        // Of 'here', 1 is up, 2 has been down for long, and 3 has not come back in the new session and has a route
        execute("INSERT INTO bmp.peer_state (peer_id, rib_view, up, session_id, sequence, up_at, down_at)"
                + " SELECT peer_id, 0, distinguisher <> 2, CASE WHEN distinguisher = 3 THEN 1 ELSE 2 END, 1,"
                + " now() - interval '200 days', CASE WHEN distinguisher = 2 THEN now() - interval '90 days' END"
                + " FROM bmp.peer JOIN bmp.router USING (router_id) WHERE name = 'here'");
        execute(
                "INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen,"
                        + " last_changed, attribute_hash) SELECT '10.0.0.0/8', '', 0, -1, peer_id, 257, 0, 1, now(), now(),"
                        + " gen_random_uuid() FROM bmp.peer JOIN bmp.router USING (router_id) WHERE name = 'here' AND distinguisher = 3");
        execute("INSERT INTO bmp.rib_table SELECT peer_id, 0, 0, 1, 1, true FROM bmp.peer");
        String peers = "SELECT name, string_agg(distinguisher::text, ',' ORDER BY distinguisher) FROM bmp.peer"
                + " RIGHT JOIN bmp.router USING (router_id) GROUP BY name ORDER BY 1";
        run(Duration.ZERO);
        assertThat(query(peers)).as("the history is kept for ever").hasSize(3);
        execute("SELECT bmp.purge_peers(now() - interval '40 days')");
        assertThat(query(peers)).containsExactly("absent|1,2,3", "gone|-", "here|1,3");
        assertThat(query("SELECT count(*) FROM bmp.rib_table")).containsExactly("5");
        assertThat(query("SELECT count(*) FROM bmp.peer_state")).containsExactly("2");
        execute("SELECT bmp.purge_routers(now() - interval '400 days')");
        assertThat(query("SELECT name FROM bmp.router ORDER BY 1")).containsExactly("absent", "here");
    }

    @Test
    void givenASessionThatIsOlderThanPeerEventsAreKeptThenItsRoutesAreNotStaleInThePast() throws SQLException {
        // Given: r1 is connected since long ago, r2 was until 450 days ago, and r3 until yesterday
        write(ago(2).announce("10.0.0.0/8", 1));
        String event = "INSERT INTO bmp.peer_event (received_at, session_id, sequence, router_id, event, detail)"
                + " SELECT now() - interval '%d days', %d, %d, %d, '%s', '{}'";
        String r1 = query("SELECT router_id FROM bmp.router WHERE name = 'r1'").getFirst();
        execute(event.formatted(600, 5, 0, Integer.parseInt(r1), "session-up"));
        execute(event.formatted(550, 5, 1, Integer.parseInt(r1), "session-down"));
        execute(event.formatted(500, 998, 0, Integer.parseInt(r1), "session-up"));
        execute(event.formatted(500, 998, 1, Integer.parseInt(r1), "peer-up"));
        execute(event.formatted(460, 7, 0, 8, "session-up"));
        execute(event.formatted(450, 7, 1, 8, "session-down"));
        execute(event.formatted(440, 9, 0, 9, "session-up"));
        execute(event.formatted(1, 9, 1, 9, "session-down"));
        String stale = "SELECT prefix, stale FROM bmp.rib_at('" + MIDNIGHT + "')";
        assertThat(query(stale)).containsExactly("10.0.0.0/8|f");

        // When
        run(Duration.ofDays(30));

        // Then: of each router there is what its last session event was before, and all since
        assertThat(query(stale)).containsExactly("10.0.0.0/8|f");
        assertThat(query("SELECT session_id, event FROM bmp.peer_event ORDER BY session_id, sequence"))
                .containsExactly("7|session-down", "9|session-up", "9|session-down", "998|session-up");
    }

    @Test
    void attributeSetsThatNothingRefersToGoAndAllOthersStay() throws SQLException {
        // Given: long unused ones that the state, a base or the history has, and one that nothing has
        write(ago(20).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).announce("12.0.0.0/8", 3));
        write(ago(10).announce("11.0.0.0/8", 4).withdraw("12.0.0.0/8"));
        write(ago(1).announce("13.0.0.0/8", 5).withdraw("13.0.0.0/8").withdraw("11.0.0.0/8"));
        run(Duration.ofDays(3));
        assertThat(query("SELECT med FROM bmp.attribute_set ORDER BY 1")).containsExactly("1", "2", "3", "4", "5");
        execute("UPDATE bmp.attribute_set SET last_used = current_date - CASE med WHEN 5 THEN 1 ELSE 20 END");
        execute(
                "UPDATE bmp.maintenance_pass SET finished_at = now() - interval '2 days' WHERE name = 'attribute-sets'");

        // When
        run(Duration.ofDays(3));

        // Then: 1 is in the state, 4 in the base at the horizon, 5 in the history; 2 and 3 are nowhere
        assertThat(query("SELECT med FROM bmp.attribute_set ORDER BY 1")).containsExactly("1", "4", "5");
        assertThat(query("SELECT med FROM bmp.rib_at('" + MIDNIGHT.minus(2, ChronoUnit.DAYS) + "') ORDER BY prefix"))
                .containsExactly("1", "4");
    }

    @Test
    void aSetThatIsWrittenAgainIsYoungAgainAndWritersForgetByTheDay() throws SQLException {
        // Given
        Instant[] now = {Instant.now()};
        Clock clock = ((InstantSource) () -> now[0]).withZone(ZoneOffset.UTC);
        AttributeSets sets = new AttributeSets(100, clock);
        write(sets, ago(1).announce("10.0.0.0/8", 1));
        execute("UPDATE bmp.attribute_set SET last_used = '2001-01-01'");

        // When: within the day the set is in the writer's cache
        write(sets, ago(1).announce("11.0.0.0/8", 1));
        assertThat(query("SELECT last_used FROM bmp.attribute_set")).containsExactly("2001-01-01");

        // When: the next day it asks again
        now[0] = now[0].plus(1, ChronoUnit.DAYS);
        write(sets, ago(0).announce("12.0.0.0/8", 1));

        // Then
        assertThat(query("SELECT last_used = (now() AT TIME ZONE 'UTC')::date FROM bmp.attribute_set"))
                .containsExactly("t");
    }

    @Test
    void aSetThatComesBackWhileItIsRemovedIsThere() throws SQLException {
        // Given: found unused, about to be removed
        write(ago(0).announce("10.0.0.0/8", 1).withdraw("10.0.0.0/8"));
        execute("UPDATE bmp.attribute_set SET last_used = '2001-01-01'");
        query("SELECT bmp.find_unused_attribute_sets()");

        // When: a writer needs it, before
        write(ago(0).announce("10.0.0.0/8", 1));

        // Then
        assertThat(query("SELECT bmp.purge_unused_attribute_sets()")).containsExactly("0");
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE med = 1")).containsExactly("1");

        // When: and after
        execute("TRUNCATE bmp.rib_route; UPDATE bmp.attribute_set SET last_used = '2001-01-01'");
        query("SELECT bmp.find_unused_attribute_sets()");
        assertThat(query("SELECT bmp.purge_unused_attribute_sets()")).containsExactly("1");
        write(ago(0).announce("10.0.0.0/8", 1));
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE med = 1")).containsExactly("1");
    }

    @Test
    void aStepIsWaitedForLongerThanOtherAnswers() throws SQLException {
        execute("""
                CREATE OR REPLACE FUNCTION bmp.find_unused_attribute_sets() RETURNS bigint LANGUAGE sql AS $$
                  INSERT INTO bmp.maintenance_pass (name, finished_at) VALUES ('attribute-sets', now());
                  SELECT 0::bigint FROM pg_sleep(2) $$""");
        ((PGSimpleDataSource) database).setSocketTimeout(1);
        run(Duration.ofDays(3));
        assertThat(steps).containsEntry("attribute-sets", 1);
    }
}
