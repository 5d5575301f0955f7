package dev.silkroute.postgres.maintenance;

import static dev.silkroute.postgres.TestBatch.of;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/**
 * Tests how the station's own SQL handles a history that is a hypertable. TimescaleDB itself is not tested, as
 * {@code docs/reference/database.md} states: stubs replace its functions, and its storage parameters are left out.
 */
class TimescaleIT {
    private final DataSource database = TestPostgres.database();
    private final List<String> steps = new ArrayList<>();

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private void write(long session, Instant at, String prefix, int med) throws SQLException {
        RouteBatch batch = of(session, at.getEpochSecond() - TestBatch.EIGHT / 1_000_000)
                .announce(prefix, med)
                .build();
        HistoryWriter writer = new HistoryWriter(new DimensionCache(10), new AttributeSets(10));
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, writer.prepareBatches(connection, List.of(batch))::write);
        }
    }

    private void installStubs() throws SQLException {
        execute("CREATE FUNCTION create_hypertable(relation regclass, time_column name, chunk_time_interval interval,"
                + " create_default_indexes boolean) RETURNS void LANGUAGE sql AS 'SELECT 1'");
        execute("CREATE FUNCTION add_compression_policy(relation regclass, compress_after interval) RETURNS void"
                + " LANGUAGE sql AS 'SELECT 1'");
        execute("CREATE FUNCTION drop_chunks(relation regclass, older_than timestamptz) RETURNS void LANGUAGE sql AS"
                + " 'DELETE FROM bmp.route_event WHERE received_at < older_than'");
        String function = query("SELECT pg_get_functiondef('bmp.use_timescaledb'::regproc)")
                .getFirst();
        execute(function.replaceAll("(?s)ALTER TABLE bmp.route_event SET \\(timescaledb.*?\\);", ""));
    }

    @Test
    void aHypertableTakesThePlaceOfAnEmptyHistory() throws SQLException {
        // Given
        installStubs();

        // When
        execute("SELECT bmp.use_timescaledb()");

        // Then: writers, views and queries find it, and maintenance keeps snapshots and removes older rows
        Instant now = Instant.now();
        write(7, now.minus(Duration.ofDays(20)), "10.0.0.0/8", 1);
        write(8, now.minus(Duration.ofDays(1)), "11.0.0.0/8", 2);
        assertThat(query("SELECT prefix FROM bmp.v_route_history ORDER BY 1"))
                .containsExactly("10.0.0.0/8", "11.0.0.0/8");
        maintenance(Duration.ofDays(2)).run(100);
        assertThat(steps)
                .contains("snapshot")
                .doesNotContain("partitions", "close")
                .noneMatch(step -> step.contains(":"));
        assertThat(query("SELECT routes FROM bmp.snapshot")).containsExactly("2");

        // When: it is kept for no time, so that the horizon is at the base
        maintenance(Duration.ofSeconds(1)).run(100);

        // Then
        assertThat(steps).contains("history").noneMatch(step -> step.contains(":"));
        assertThat(query("SELECT count(*) FROM bmp.route_event")).containsExactly("0");
        assertThat(query("SELECT prefix, med FROM bmp.rib_at(now()) ORDER BY 1"))
                .containsExactly("10.0.0.0/8|1", "11.0.0.0/8|2");
    }

    @Test
    void attributeSetsThatAHypertableHasStay() throws SQLException {
        // Given: a route that was withdrawn days ago, and maintenance that looks for unused sets at each run
        installStubs();
        execute("SELECT bmp.use_timescaledb()");
        Instant now = Instant.now();
        write(7, now.minus(Duration.ofDays(9)), "10.0.0.0/8", 1);
        write(8, now.minus(Duration.ofDays(4)), "11.0.0.0/8", 2);
        execute("UPDATE bmp.route_event SET action = 0"); // what the state or a base has would stay anyway
        execute("UPDATE bmp.attribute_set SET last_used = (now() AT TIME ZONE 'UTC')::date - CASE med WHEN 1 THEN 9"
                + " ELSE 4 END");
        String again =
                "UPDATE bmp.maintenance_pass SET finished_at = now() - interval '2 days' WHERE name = 'attribute-sets'";
        String paths = "SELECT prefix, as_path IS NOT NULL, med FROM bmp.v_route_history ORDER BY 1";

        // When: nothing is old enough to go
        maintenance(Duration.ofDays(30)).run(100);

        // Then
        assertThat(steps).contains("attribute-sets");
        assertThat(query(paths)).containsExactly("10.0.0.0/8|t|1", "11.0.0.0/8|t|2");

        // When: events before the first snapshot are to be deleted, and when they have been deleted
        execute("SELECT bmp.take_snapshot(bmp.day_start((now() AT TIME ZONE 'UTC')::date - 5))");
        execute("SELECT bmp.set_history_horizon(bmp.day_start((now() AT TIME ZONE 'UTC')::date - 5))");
        execute("SELECT bmp.find_unused_attribute_sets()");
        execute("SELECT bmp.purge_unused_attribute_sets()");
        assertThat(query(paths)).containsExactly("10.0.0.0/8|t|1", "11.0.0.0/8|t|2");
        execute(again);
        maintenance(Duration.ofDays(5)).run(100);

        // Then
        assertThat(query(paths)).containsExactly("11.0.0.0/8|t|2");
        assertThat(query("SELECT med FROM bmp.attribute_set")).containsExactly("2");
    }

    private Maintenance maintenance(Duration history) {
        Duration days = Duration.ofDays(30);
        MaintenanceSettings settings =
                new MaintenanceSettings(history, Duration.ofDays(7), Duration.ZERO, days, days, days, days, days, 1);
        return new Maintenance(database, settings, new Maintenance.Listener() {
            @Override
            public void done(String step, long nanos) {
                steps.add(step);
            }

            @Override
            public void failed(String step, SQLException reason) {
                steps.add(step + ": " + reason.getMessage());
            }
        });
    }

    /** As a station does at each start. */
    private void migrate() {
        Flyway.configure().dataSource(database).schemas("bmp").load().migrate();
    }

    @Test
    void aStationThatFindsTheExtensionUsesIt() throws SQLException {
        migrate();
        assertThat(query("SELECT bmp.is_hypertable()")).containsExactly("f");
        installStubs();
        migrate();
        assertThat(query("SELECT bmp.is_hypertable()")).containsExactly("t");
        migrate();
    }

    @Test
    void anExtensionThatRejectsLeavesPlainPartitions() throws SQLException {
        installStubs();
        execute("CREATE OR REPLACE FUNCTION add_compression_policy(relation regclass, compress_after interval) RETURNS"
                + " void LANGUAGE plpgsql AS 'BEGIN RAISE ''no licence for this''; END'");
        migrate();
        assertThat(query("SELECT bmp.is_hypertable()")).containsExactly("f");
        write(7, Instant.now(), "10.0.0.0/8", 1);
        assertThat(query("SELECT prefix FROM bmp.v_route_history")).containsExactly("10.0.0.0/8");
    }

    @Test
    void aStationThatFindsAHistoryLeavesItAsItIs() throws SQLException {
        write(7, Instant.now(), "10.0.0.0/8", 1);
        installStubs();
        migrate();
        assertThat(query("SELECT bmp.is_hypertable()")).containsExactly("f");
    }

    @Test
    void aHistoryThatIsThereStaysAsItIs() throws SQLException {
        installStubs();
        write(7, Instant.now(), "10.0.0.0/8", 1);
        assertThat(catchThrowable(() -> execute("SELECT bmp.use_timescaledb()")))
                .hasMessageContaining("the history is not empty");
        assertThat(query("SELECT prefix FROM bmp.v_route_history")).containsExactly("10.0.0.0/8");
    }
}
