package dev.silkroute.postgres.state;

import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.history.Markings;
import dev.silkroute.postgres.history.SyntheticRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Brings folded changes into {@code bmp.rib_route}: by COPY into a temporary table, and from there in a few statements. A route that is
 * there as it is announced is not written: if it was of an older session, it is noted as confirmed.
 */
final class StateMerge {
    private static final String KEY_EQUAL = "r.prefix = s.prefix AND r.peer_id = s.peer_id AND r.rib_view = s.rib_view"
            + " AND r.family = s.family AND r.rd = s.rd AND r.path_id = s.path_id AND r.nlri = s.nlri";

    /**
     * Every change is looked up by the primary key: a hash join would read the whole state for it. A transaction may have merged before, in parts
     * of their own too: what these have left in the temporary table is no change any more.
     */
    private static final String PREPARE = """
            SET LOCAL enable_hashjoin = off;
            SET LOCAL enable_mergejoin = off;
            SET LOCAL jit = off;
            SET LOCAL work_mem = '64MB';
            DO $$ BEGIN
              IF to_regclass('pg_temp.rib_change') IS NULL THEN
                CREATE TEMPORARY TABLE rib_change (prefix cidr, nlri bytea, rd bigint, path_id bigint, peer_id integer,
                  family integer, rib_view smallint, present boolean, session_id bigint, attribute_hash uuid, labels integer[],
                  whole_nlri bytea, nlri_as_text text, path_status bigint, path_reason integer, first_at timestamptz,
                  changed_at timestamptz, reborn boolean, changed boolean, generation integer, synced boolean,
                  history smallint, sequence bigint, router_time timestamptz)
                ON COMMIT DELETE ROWS;
              ELSIF EXISTS (SELECT FROM pg_temp.rib_change) THEN
                TRUNCATE pg_temp.rib_change;
              END IF;
            END $$""";

    private static final String CHANGES =
            "rib_change (" + RibKey.COLUMNS + ", present, session_id, attribute_hash, labels,"
                    + " whole_nlri, nlri_as_text, path_status, path_reason, first_at, changed_at, reborn, changed, generation,"
                    + " synced, history, sequence, router_time)";
    private static final int CHANGE_COLUMNS = RibKey.COLUMN_COUNT + 17;

    /** Rows of an ended generation that something is said of: they are withdrawn first, in the name of what ended them. */
    private static final String WITHDRAW_ENDED = withdrawEnded(false);

    private static final String WITHDRAW_ENDED_AND_TELL = withdrawEnded(true);

    private static final String DELETE = "DELETE FROM bmp.rib_route r USING rib_change s"
            + " WHERE NOT s.present AND r.session_id <= s.session_id AND " + KEY_EQUAL;

    /**
     * What is there is looked up once, for three answers: rows to write, routes that are confirmed, rows of the history. %1$s is a
     * condition on a confirmed route j, %2$s a common table that it needs.
     */
    private static final String UPSERT = """
            WITH j AS MATERIALIZED (
              SELECT s.*, r.route_id, r.first_seen, r.last_changed,
                r.attribute_hash = s.attribute_hash AND r.labels IS NOT DISTINCT FROM s.labels
                  AND r.nlri_as_text IS NOT DISTINCT FROM s.nlri_as_text
                  AND r.path_status IS NOT DISTINCT FROM s.path_status
                  AND r.path_reason IS NOT DISTINCT FROM s.path_reason AS same,
                r.session_id < s.session_id AND NOT s.synced AS older
              FROM rib_change s LEFT JOIN bmp.rib_route r ON KEY_EQUAL
              WHERE s.present),
            %2$s
            written AS (
              INSERT INTO bmp.rib_route AS t (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, generation,
                first_seen, last_changed, attribute_hash, labels, long_nlri, nlri_as_text, path_status, path_reason)
              SELECT prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, generation,
                CASE WHEN route_id IS NULL OR reborn THEN first_at ELSE first_seen END,
                CASE WHEN route_id IS NULL OR changed OR NOT same THEN changed_at ELSE last_changed END,
                attribute_hash, labels, CASE WHEN whole_nlri <> nlri THEN whole_nlri END, nlri_as_text, path_status, path_reason
              FROM j
              WHERE history < 2 AND (route_id IS NULL OR NOT same OR changed OR reborn)
              ON CONFLICT (prefix, peer_id, rib_view, family, rd, path_id, nlri) DO UPDATE
                SET session_id = excluded.session_id, generation = excluded.generation, first_seen = excluded.first_seen,
                  last_changed = excluded.last_changed, attribute_hash = excluded.attribute_hash, labels = excluded.labels,
                  long_nlri = excluded.long_nlri, nlri_as_text = excluded.nlri_as_text,
                  path_status = excluded.path_status, path_reason = excluded.path_reason
                WHERE t.session_id <= excluded.session_id
              RETURNING 1),
            confirmed AS (
              INSERT INTO bmp.rib_confirmed (peer_id, rib_view, family, session_id, lowest_route_id, highest_route_id, route_ids)
              SELECT peer_id, rib_view, family, session_id, min(route_id), max(route_id), array_agg(route_id)
              FROM j WHERE history < 2 AND same AND older AND NOT changed AND NOT reborn AND %1$s
              GROUP BY peer_id, rib_view, family, session_id RETURNING 1),
            told AS (
              INSERT INTO bmp.route_event (received_at, router_time, session_id, sequence, path_id, rd, peer_id, family,
                rib_view, action, synthetic, attribute_hash, prefix, nlri, labels, nlri_as_text, path_status, path_reason)
              SELECT changed_at, router_time, session_id, sequence, nullif(path_id, -1),
                CASE WHEN bmp.has_rd(family) THEN rd END, peer_id, family, rib_view, 1, false, attribute_hash,
                CASE WHEN nlri = '' THEN prefix END, whole_nlri, labels, nlri_as_text, path_status, path_reason
              FROM j
              WHERE history > 0 AND (same AND older AND %1$s) IS NOT TRUE
              RETURNING 1)
            SELECT (SELECT count(*) FROM written), (SELECT count(*) FROM confirmed), (SELECT count(*) FROM told)""".replace("KEY_EQUAL", KEY_EQUAL);

    /**
     * All that there is to do where the tables are through. One look into the primary key for each change; INSERT ON CONFLICT takes
     * another, and logs that it locks the row.
     */
    private static final String SETTLED = """
            MERGE INTO bmp.rib_route r USING rib_change s ON KEY_EQUAL
            WHEN MATCHED AND r.session_id <= s.session_id AND NOT s.present THEN DELETE
            WHEN MATCHED AND r.session_id <= s.session_id
                AND (s.changed OR s.reborn OR r.attribute_hash <> s.attribute_hash OR r.labels IS DISTINCT FROM s.labels
                  OR r.nlri_as_text IS DISTINCT FROM s.nlri_as_text OR r.path_status IS DISTINCT FROM s.path_status
                  OR r.path_reason IS DISTINCT FROM s.path_reason)
              THEN UPDATE SET session_id = s.session_id, generation = s.generation,
                first_seen = CASE WHEN s.reborn THEN s.first_at ELSE r.first_seen END, last_changed = s.changed_at,
                attribute_hash = s.attribute_hash, labels = s.labels, long_nlri = CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END,
                nlri_as_text = s.nlri_as_text, path_status = s.path_status, path_reason = s.path_reason
            WHEN NOT MATCHED AND s.present
              THEN INSERT (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, generation, first_seen,
                last_changed, attribute_hash, labels, long_nlri, nlri_as_text, path_status, path_reason)
              VALUES (s.prefix, s.nlri, s.rd, s.path_id, s.peer_id, s.family, s.rib_view, s.session_id, s.generation,
                s.first_at, s.changed_at, s.attribute_hash, s.labels, CASE WHEN s.whole_nlri <> s.nlri THEN s.whole_nlri END,
                s.nlri_as_text, s.path_status, s.path_reason)""".replace("KEY_EQUAL", KEY_EQUAL);

    private static final String FIRST = UPSERT.formatted("true", "");

    /**
     * Where a session has confirmed routes before: only those whose numbers come near are looked through. A run can have changes of two
     * sessions of a router, and what the older one has confirmed the newer one has not.
     */
    private static final String AGAIN =
            UPSERT.formatted("(route_id, session_id) NOT IN (SELECT id, session_id FROM before)", """
            spans AS (
              SELECT peer_id, rib_view, family, session_id, min(route_id) AS lowest, max(route_id) AS highest
              FROM j WHERE same AND older GROUP BY peer_id, rib_view, family, session_id),
            before AS MATERIALIZED (
              SELECT u.id, session_id FROM spans s JOIN bmp.rib_confirmed c USING (peer_id, rib_view, family, session_id),
                unnest(c.route_ids) AS u(id)
              WHERE c.lowest_route_id <= s.highest AND c.highest_route_id >= s.lowest AND u.id BETWEEN s.lowest AND s.highest),""");

    private static final String UNIQUE_VIOLATION = "23505";
    /** What a lane tries again. */
    private static final String TRY_AGAIN = "40001";

    private final Connection connection;
    private final RibTables tables;
    private final boolean told;

    /**
     * For one transaction.
     *
     * @param told whether withdrawals that the station makes also go to {@code bmp.withdrawal_outbox}
     */
    StateMerge(Connection connection, RibTables tables, boolean told) {
        this.connection = connection;
        this.tables = tables;
        this.told = told;
    }

    private static String withdrawEnded(boolean told) {
        return SyntheticRows.insert(
                "gone AS (DELETE FROM bmp.rib_route r USING rib_change s WHERE r.generation < s.generation AND "
                        + KEY_EQUAL + " RETURNING r.*)",
                SyntheticRows.values("e.received_at", "e.session_id", "e.sequence"),
                "gone r JOIN bmp.rib_ended e USING (peer_id, rib_view, generation)",
                told);
    }

    /** @return how many rows of the state and the history were written */
    long apply(RouteFold routes) throws SQLException {
        if (routes.size() == 0) {
            return 0;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(PREPARE);
            copy(routes);
            if (tables.ended()) {
                statement.executeUpdate(told ? WITHDRAW_ENDED_AND_TELL : WITHDRAW_ENDED);
            }
            if (routes.settled()) {
                return merge(statement);
            }
            long rows;
            try (ResultSet counts = statement.executeQuery(tables.confirmed() ? AGAIN : FIRST)) {
                counts.next();
                if (counts.getLong(2) > 0) {
                    tables.confirmedSome();
                }
                rows = counts.getLong(1) + counts.getLong(3);
            }
            // Last: whether an announcement that is withdrawn again was news, the row that goes decides.
            return rows + statement.executeLargeUpdate(DELETE);
        }
    }

    /**
     * Writers of one topic partition wait for each other at the lane's place, so nobody else should make the same routes. MERGE fails
     * where somebody does, and then the next try finds them.
     */
    private static long merge(Statement statement) throws SQLException {
        try {
            return statement.executeLargeUpdate(SETTLED);
        } catch (SQLException e) {
            if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
                throw new SQLException("somebody else makes the same routes", TRY_AGAIN, e);
            }
            throw e;
        }
    }

    private void copy(RouteFold routes) throws SQLException {
        try (CopyTable copy = CopyTable.into(connection, CHANGES)) {
            routes.forEach((key, change) -> writeRow(copy.row(CHANGE_COLUMNS), key, change));
            copy.finish();
        }
    }

    private static void writeRow(CopyBinary row, RibKey key, RouteFold.Change change) {
        key.write(row);
        row.bool(change.present);
        row.int8(change.session);
        row.uuid(change.attributesHigh, change.attributesLow);
        if (change.labels.length == 0) {
            row.nullField();
        } else {
            row.int4Array(change.labels);
        }
        if (change.nlri.length == 0) {
            row.nullField();
            row.nullField();
        } else {
            row.bytea(change.nlri, 0, change.nlri.length);
            row.text(NlriText.of(key.family(), change.nlri, 0, change.nlri.length));
        }
        Markings.write(row, change.marking);
        row.timestamp(change.firstAt);
        row.timestamp(change.changedAt);
        row.bool(change.reborn);
        row.bool(change.changed);
        row.int4(change.generation);
        row.bool(change.synced);
        row.int2(change.history.ordinal());
        row.int8(change.sequence);
        if (change.routerTime == 0) {
            row.nullField();
        } else {
            row.timestamp(change.routerTime);
        }
    }
}
