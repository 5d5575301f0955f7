package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.history.RouteEventRow;
import dev.silkroute.postgres.history.SyntheticWithdrawals;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges folded changes into {@code bmp.rib_route}: COPY into the temporary table {@code rib_change}, then a few
 * statements. A route that is announced as it already is is not written; if its row belongs to an older session, the
 * route is recorded in {@code bmp.rib_confirmed}. Announcements of table dumps that change something are inserted into
 * the history by the same statement, because only it reads the previous value.
 *
 * <p>In the SQL, {@code s} is a change and {@code r} the row of the route.
 */
final class StateMerge {
    /** The columns of {@code rib_change}, in the order in which {@link #writeRow} writes them. */
    private static final List<RouteColumn> CHANGE_COLUMNS = changeColumns();

    private static final String COPY_TARGET = "rib_change (" + RouteColumn.list(CHANGE_COLUMNS, "") + ")";

    /**
     * Every change is looked up by the primary key: a hash join would read the whole state. The savepoints of a
     * transaction that merges several times may have left rows in the temporary table.
     */
    private static final String PREPARE = sql("""
            SET LOCAL enable_hashjoin = off;
            SET LOCAL enable_mergejoin = off;
            SET LOCAL jit = off;
            SET LOCAL work_mem = '64MB';
            DO $$ BEGIN
              IF to_regclass('pg_temp.rib_change') IS NULL THEN
                CREATE TEMPORARY TABLE rib_change ({change definitions}) ON COMMIT DELETE ROWS;
              ELSIF EXISTS (SELECT FROM pg_temp.rib_change) THEN
                TRUNCATE pg_temp.rib_change;
              END IF;
            END $$""");

    private static final String WITHDRAW_ENDED = withdrawEnded(false);
    private static final String WITHDRAW_ENDED_AND_PUBLISH = withdrawEnded(true);

    private static final String DELETE = sql("""
            DELETE FROM bmp.rib_route r USING rib_change s
            WHERE NOT s.present AND r.session_id <= s.session_id AND {key equal}""");

    /** The columns of {@code bmp.rib_route} that an announcement writes; see {@link #sql}. */
    private static final String ROUTE_COLUMNS =
            "{key}, session_id, generation, first_seen, last_changed, {value}, long_nlri";

    /**
     * The general case. Each route is looked up once ({@code found}) for three results: rows to write, routes to
     * confirm and events for the history.
     */
    private static final String MERGE_WHILE_SYNCHRONIZING = """
            WITH found AS MATERIALIZED (
              SELECT s.*, r.route_id, r.first_seen, r.last_changed, {value same} AS same,
                r.session_id < s.session_id AND NOT s.synchronized AS older
              FROM rib_change s LEFT JOIN bmp.rib_route r ON {key equal}
              WHERE s.present),
            {confirmed before}
            written AS (
              INSERT INTO bmp.rib_route AS t ({route columns})
              SELECT {key}, session_id, generation,
                CASE WHEN route_id IS NULL OR recreated THEN first_at ELSE first_seen END,
                CASE WHEN route_id IS NULL OR changed OR NOT same THEN changed_at ELSE last_changed END,
                {value}, CASE WHEN whole_nlri <> nlri THEN whole_nlri END
              FROM found
              WHERE NOT history_only AND (route_id IS NULL OR NOT same OR changed OR recreated)
              ON CONFLICT ({key}) DO UPDATE
                SET session_id = excluded.session_id, generation = excluded.generation, first_seen = excluded.first_seen,
                  last_changed = excluded.last_changed, {value excluded}, long_nlri = excluded.long_nlri
                WHERE t.session_id <= excluded.session_id
              RETURNING 1),
            confirmed AS (
              INSERT INTO bmp.rib_confirmed (peer_id, rib_view, family, session_id, lowest_route_id, highest_route_id, route_ids)
              SELECT peer_id, rib_view, family, session_id, min(route_id), max(route_id), array_agg(route_id)
              FROM found WHERE NOT history_only AND same AND older AND NOT changed AND NOT recreated AND {not confirmed before}
              GROUP BY peer_id, rib_view, family, session_id RETURNING 1),
            recorded AS (
              INSERT INTO bmp.route_event ({event columns})
              SELECT changed_at, router_time, session_id, sequence, nullif(path_id, -1),
                CASE WHEN bmp.has_rd(family) THEN rd END, peer_id, family, rib_view, 1, false, attribute_hash,
                CASE WHEN nlri = '' THEN prefix END, whole_nlri, labels, nlri_as_text, path_status, path_reason
              FROM found
              WHERE record_if_new AND (same AND older AND {not confirmed before}) IS NOT TRUE
              RETURNING 1)
            SELECT (SELECT count(*) FROM written), (SELECT count(*) FROM confirmed), (SELECT count(*) FROM recorded)""";

    /** The merge for sessions that have not confirmed any route yet. */
    private static final String MERGE_FIRST =
            sql(MERGE_WHILE_SYNCHRONIZING.replace("{confirmed before}", "").replace("{not confirmed before}", "true"));

    /**
     * The merge for sessions that have confirmed routes before. Only entries whose range of route ids overlaps are
     * searched. A run may contain changes of two sessions of a router, and a route that the older session has confirmed
     * is not confirmed in the newer one.
     */
    private static final String MERGE_AGAIN = sql(MERGE_WHILE_SYNCHRONIZING
            .replace("{not confirmed before}", "(route_id, session_id) NOT IN (SELECT id, session_id FROM before)")
            .replace("{confirmed before}", """
            span AS (
              SELECT peer_id, rib_view, family, session_id, min(route_id) AS lowest, max(route_id) AS highest
              FROM found WHERE same AND older GROUP BY peer_id, rib_view, family, session_id),
            before AS MATERIALIZED (
              SELECT u.id, session_id FROM span s JOIN bmp.rib_confirmed c USING (peer_id, rib_view, family, session_id),
                unnest(c.route_ids) AS u(id)
              WHERE c.lowest_route_id <= s.highest AND c.highest_route_id >= s.lowest AND u.id BETWEEN s.lowest AND s.highest),"""));

    /**
     * The whole merge if all tables are synchronized and no table dump is in progress. It looks up the primary
     * key once for each change; INSERT ON CONFLICT looks it up twice and logs a row lock.
     */
    private static final String MERGE_SYNCHRONIZED = sql("""
            MERGE INTO bmp.rib_route r USING rib_change s ON {key equal}
            WHEN MATCHED AND r.session_id <= s.session_id AND NOT s.present THEN DELETE
            WHEN MATCHED AND r.session_id <= s.session_id AND (s.changed OR s.recreated OR {value different})
              THEN UPDATE SET session_id = s.session_id, generation = s.generation,
                first_seen = CASE WHEN s.recreated THEN s.first_at ELSE r.first_seen END, last_changed = s.changed_at,
                {value from change}, long_nlri = CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END
            WHEN NOT MATCHED AND s.present
              THEN INSERT ({route columns})
              VALUES ({change key}, s.session_id, s.generation, s.first_at, s.changed_at, {change value},
                CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END)""");

    private static final String UNIQUE_VIOLATION = "23505";
    /** SQLSTATE serialization_failure, which a lane retries. */
    private static final String SERIALIZATION_FAILURE = "40001";

    private final Connection connection;
    private final RibTables tables;
    private final boolean publishWithdrawals;

    /**
     * Creates a merge for one transaction.
     *
     * @param publishWithdrawals whether withdrawals that the station generates also go to {@code bmp.withdrawal_outbox}
     */
    StateMerge(Connection connection, RibTables tables, boolean publishWithdrawals) {
        this.connection = connection;
        this.tables = tables;
        this.publishWithdrawals = publishWithdrawals;
    }

    private static List<RouteColumn> changeColumns() {
        List<RouteColumn> columns = new ArrayList<>(RouteColumn.KEY);
        columns.add(new RouteColumn("present", "boolean"));
        columns.add(new RouteColumn("session_id", "bigint"));
        columns.addAll(RouteColumn.VALUE);
        columns.add(new RouteColumn("whole_nlri", "bytea"));
        columns.add(new RouteColumn("first_at", "timestamptz"));
        columns.add(new RouteColumn("changed_at", "timestamptz"));
        columns.add(new RouteColumn("recreated", "boolean"));
        columns.add(new RouteColumn("changed", "boolean"));
        columns.add(new RouteColumn("generation", "integer"));
        columns.add(new RouteColumn("synchronized", "boolean"));
        columns.add(new RouteColumn("record_if_new", "boolean"));
        columns.add(new RouteColumn("history_only", "boolean"));
        columns.add(new RouteColumn("sequence", "bigint"));
        columns.add(new RouteColumn("router_time", "timestamptz"));
        return List.copyOf(columns);
    }

    /** Replaces the names in braces by lists of columns. */
    private static String sql(String template) {
        return template.replace("{route columns}", ROUTE_COLUMNS)
                .replace("{event columns}", RouteEventRow.COLUMNS)
                .replace("{change definitions}", RouteColumn.definitions(CHANGE_COLUMNS))
                .replace("{key}", RouteColumn.list(RouteColumn.KEY, ""))
                .replace("{change key}", RouteColumn.list(RouteColumn.KEY, "s."))
                .replace("{key equal}", RouteColumn.equal(RouteColumn.KEY))
                .replace("{value}", RouteColumn.list(RouteColumn.VALUE, ""))
                .replace("{change value}", RouteColumn.list(RouteColumn.VALUE, "s."))
                .replace("{value same}", RouteColumn.same(RouteColumn.VALUE))
                .replace("{value different}", RouteColumn.different(RouteColumn.VALUE))
                .replace("{value excluded}", RouteColumn.assign(RouteColumn.VALUE, "excluded."))
                .replace("{value from change}", RouteColumn.assign(RouteColumn.VALUE, "s."));
    }

    /**
     * Withdraws rows of ended generations that have a change, before the change, in the name of the event that ended
     * them.
     */
    private static String withdrawEnded(boolean publish) {
        return SyntheticWithdrawals.insert(
                sql("removed AS (DELETE FROM bmp.rib_route r USING rib_change s"
                        + " WHERE r.generation < s.generation AND {key equal} RETURNING r.*)"),
                "removed r JOIN bmp.rib_ended e USING (peer_id, rib_view, generation)",
                new SyntheticWithdrawals.Cause("e.received_at", "e.session_id", "e.sequence"),
                publish);
    }

    /**
     * Merges the changes.
     *
     * @return the number of rows of the state and the history written
     */
    long apply(RouteFold routes) throws SQLException {
        if (routes.size() == 0) {
            return 0;
        }
        tables.writeChanges();
        try (Statement statement = connection.createStatement()) {
            statement.execute(PREPARE);
            copy(routes);
            if (tables.ended()) {
                statement.executeUpdate(publishWithdrawals ? WITHDRAW_ENDED_AND_PUBLISH : WITHDRAW_ENDED);
            }
            if (routes.isSynchronized()) {
                return mergeSynchronized(statement);
            }
            long rows;
            try (ResultSet counts = statement.executeQuery(tables.confirmed() ? MERGE_AGAIN : MERGE_FIRST)) {
                counts.next();
                if (counts.getLong(2) > 0) {
                    tables.confirmedSome();
                }
                rows = counts.getLong(1) + counts.getLong(3);
            }
            // Last, because a row that is deleted here decides whether an announcement before its withdrawal was new.
            return rows + statement.executeLargeUpdate(DELETE);
        }
    }

    /**
     * Writers of the same topic partition wait for each other at the lane's offset, so no other writer should insert
     * the same routes. MERGE fails if one does, and the next attempt finds its rows.
     */
    private static long mergeSynchronized(Statement statement) throws SQLException {
        try {
            return statement.executeLargeUpdate(MERGE_SYNCHRONIZED);
        } catch (SQLException e) {
            if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw new SQLException("another writer is inserting the same routes", SERIALIZATION_FAILURE, e);
            }
            throw e;
        }
    }

    private void copy(RouteFold routes) throws SQLException {
        try (CopyTable copy = CopyTable.into(connection, COPY_TARGET)) {
            routes.forEach((key, change) -> writeRow(copy.row(CHANGE_COLUMNS.size()), key, change));
            copy.finish();
        }
    }

    private static void writeRow(CopyBinary row, RibKey key, RouteFold.Change change) {
        key.write(row);
        row.bool(change.present);
        row.int8(change.session);
        change.writeValue(key.family(), row);
        if (change.nlri.length == 0) {
            row.nullField();
        } else {
            row.bytea(change.nlri, 0, change.nlri.length);
        }
        row.timestamp(change.firstAt);
        row.timestamp(change.changedAt);
        row.bool(change.recreated);
        row.bool(change.changed);
        row.int4(change.generation);
        row.bool(change.isSynchronized);
        row.bool(change.history != RouteFold.History.NONE);
        row.bool(change.history == RouteFold.History.ONLY_IF_NEW);
        row.int8(change.sequence);
        if (change.routerTime == 0) {
            row.nullField();
        } else {
            row.timestamp(change.routerTime);
        }
    }
}
