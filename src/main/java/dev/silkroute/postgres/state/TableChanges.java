package dev.silkroute.postgres.state;

import dev.silkroute.net.KeyedHash;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Times;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The changes of tables by the events of a transaction, besides their phases: ends of generations, and from when until
 * when a table is synchronized. They are collected and written with one statement for each kind, because a router
 * that has thousands of peers sends thousands of Peer Down or End-of-RIB at once, and a statement for each of them
 * would hold up all routers of its partition for seconds.
 *
 * <p>A statement does not apply its rows one after the other. Therefore a change waits only while it can be written
 * together with those before it: if its peer has one of another kind, or the same one of another session, those are
 * written first. Not thread-safe.
 */
final class TableChanges {
    /** Maximum number of changes of all kinds together: some megabytes of heap. */
    private static final int MAX_CHANGES = 1 << 14;

    private static final String GIVEN = """
        unnest(CAST(? AS integer[]), CAST(? AS integer[]), CAST(? AS integer[]), CAST(? AS integer[]), CAST(? AS bigint[]),
        CAST(? AS bigint[]), CAST(? AS timestamptz[]))
        WITH ORDINALITY AS n (peer_id, first_view, last_view, number, session_id, sequence, received_at, nth)\
        """;

    /** Also removes what is recorded about the routes of the generation. */
    private static final String END = """
        WITH ended AS MATERIALIZED (SELECT * FROM {given}),
        views AS (SELECT DISTINCT peer_id, first_view FROM ended),
        confirmed AS (
        DELETE FROM bmp.rib_confirmed c USING views n WHERE c.peer_id = n.peer_id AND c.rib_view = n.first_view),
        resync AS (
        DELETE FROM bmp.rib_resync r USING views n WHERE r.peer_id = n.peer_id AND r.rib_view = n.first_view)
        INSERT INTO bmp.rib_ended (peer_id, rib_view, generation, session_id, sequence, received_at)
        SELECT peer_id, first_view, number, session_id, sequence, received_at FROM ended\
        """.replace("{given}", GIVEN);

    private static final String DOWN = """
        WITH down AS MATERIALIZED (SELECT * FROM {given}),
        forgotten AS (
        DELETE FROM bmp.rib_end_of_rib e USING down n WHERE e.peer_id = n.peer_id
          AND e.rib_view BETWEEN n.first_view AND n.last_view AND e.session_id <= n.session_id)
        UPDATE bmp.table_synchronization h SET synchronized_until = n.received_at FROM down n WHERE h.peer_id = n.peer_id
          AND h.rib_view BETWEEN n.first_view AND n.last_view AND h.session_id <= n.session_id
          AND h.synchronized_until IS NULL\
        """.replace("{given}", GIVEN);

    /**
     * Limited to 1,000 tables per peer, because routers choose the families: further tables count as not synchronized.
     * The history has the first End-of-RIB of a session; if Kafka delivers it again, its row counts again until the
     * Peer Down that follows.
     */
    private static final String END_OF_RIB = """
        WITH named AS MATERIALIZED (
        SELECT n.*, v AS rib_view, n.number AS family, EXISTS (SELECT FROM bmp.rib_end_of_rib e
          WHERE (e.peer_id, e.rib_view, e.family) = (n.peer_id, v, n.number)) AS known
        FROM {given}, generate_series(n.first_view, n.last_view) v),
        stored AS (
        SELECT peer_id, (SELECT count(*) FROM bmp.rib_end_of_rib e WHERE e.peer_id = n.peer_id) AS tables
        FROM (SELECT DISTINCT peer_id FROM named WHERE NOT known) n),
        first AS (
        INSERT INTO bmp.rib_end_of_rib AS t (peer_id, rib_view, family, session_id)
        SELECT peer_id, rib_view, family, session_id FROM (
          SELECT n.*, tables + row_number() OVER (PARTITION BY peer_id, known ORDER BY nth, rib_view) AS table_count
          FROM named n LEFT JOIN stored USING (peer_id)) n
        WHERE known OR table_count <= 1000
        ON CONFLICT (peer_id, rib_view, family) DO UPDATE SET session_id = excluded.session_id
        WHERE t.session_id < excluded.session_id
        RETURNING peer_id, rib_view, family),
        begun AS (SELECT n.* FROM named n JOIN first USING (peer_id, rib_view, family)),
        ended AS (
        UPDATE bmp.table_synchronization h SET synchronized_until = n.received_at FROM begun n
        WHERE h.peer_id = n.peer_id AND h.rib_view = n.rib_view AND h.family = n.family AND h.synchronized_until IS NULL
          AND (h.session_id, h.sequence) <> (n.session_id, n.sequence))
        INSERT INTO bmp.table_synchronization (peer_id, rib_view, family, session_id, sequence, synchronized_from)
        SELECT peer_id, rib_view, family, session_id, sequence, received_at FROM begun
        ON CONFLICT (peer_id, rib_view, family, session_id, sequence) DO UPDATE SET synchronized_until = NULL\
        """.replace("{given}", GIVEN);

    private static final String RESYNC = """
        INSERT INTO bmp.rib_resync AS t (peer_id, rib_view, family, session_id, sequence, received_at)
        SELECT peer_id, first_view, number, session_id, sequence, received_at FROM {given}
        ON CONFLICT (peer_id, rib_view, family) DO UPDATE SET session_id = excluded.session_id,
          sequence = excluded.sequence, received_at = excluded.received_at
        WHERE t.session_id < excluded.session_id\
        """.replace("{given}", GIVEN);

    private final Connection connection;
    private final List<Change> ends = new ArrayList<>();
    /** By peer. */
    private final Map<Integer, Change> downs = new HashMap<>();

    private final Map<Table, Change> endsOfRib = new LinkedHashMap<>();
    private final Set<Integer> peersWithEndOfRib = new HashSet<>();
    private final Map<Table, Change> resyncs = new HashMap<>();

    /** @param number the generation or the family */
    private record Change(int peer, int firstView, int lastView, int number, RibTables.Cause cause) {
        boolean isRepeatedBy(Change later) {
            return firstView == later.firstView
                    && lastView == later.lastView
                    && cause.session() == later.cause.session();
        }
    }

    private record Table(int peer, int view, int family) {
        /** Keyed, because routers choose the families. */
        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of((long) peer << 32 | view, family));
        }
    }

    TableChanges(Connection connection) {
        this.connection = connection;
    }

    /** A Peer Down, which ends the synchronization of the peer's tables. */
    void down(int peer, int firstView, int lastView, RibTables.Cause cause) throws SQLException {
        Change change = new Change(peer, firstView, lastView, 0, cause);
        Change before = downs.get(peer);
        if (peersWithEndOfRib.contains(peer) || before != null && !before.isRepeatedBy(change)) {
            write();
        }
        downs.putIfAbsent(peer, change);
        limit();
    }

    /** The end of a generation, by the Peer Down that was added last or without one. */
    void end(int peer, int view, int generation, RibTables.Cause cause) throws SQLException {
        ends.add(new Change(peer, view, view, generation, cause));
        limit();
    }

    /** An End-of-RIB. @param family 0 for all tables of the views */
    void endOfRib(int peer, int firstView, int lastView, int family, RibTables.Cause cause) throws SQLException {
        Table table = new Table(peer, firstView, family);
        Change change = new Change(peer, firstView, lastView, family, cause);
        Change before = endsOfRib.get(table);
        if (downs.containsKey(peer) || before != null && !before.isRepeatedBy(change)) {
            write();
        }
        endsOfRib.putIfAbsent(table, change);
        peersWithEndOfRib.add(peer);
        limit();
    }

    /** Routes are to be withdrawn that a table had before the End-of-RIB that was added last. */
    void resync(int peer, int view, int family, RibTables.Cause cause) throws SQLException {
        resyncs.putIfAbsent(new Table(peer, view, family), new Change(peer, view, view, family, cause));
        limit();
    }

    private void limit() throws SQLException {
        if (ends.size() + downs.size() + endsOfRib.size() + resyncs.size() >= MAX_CHANGES) {
            write();
        }
    }

    /** Writes the changes that have been added and not yet written. */
    void write() throws SQLException {
        write(END, ends);
        write(DOWN, downs.values());
        write(END_OF_RIB, endsOfRib.values());
        write(RESYNC, resyncs.values());
        peersWithEndOfRib.clear();
    }

    private void write(String sql, Collection<Change> changes) throws SQLException {
        if (changes.isEmpty()) {
            return;
        }
        Sql.update(
                connection,
                sql,
                column("integer", changes, Change::peer),
                column("integer", changes, Change::firstView),
                column("integer", changes, Change::lastView),
                column("integer", changes, Change::number),
                column("bigint", changes, change -> change.cause.session()),
                column("bigint", changes, change -> change.cause.sequence()),
                column("timestamptz", changes, change -> Times.of(change.cause.receivedMicros())));
        changes.clear();
    }

    private Array column(String type, Collection<Change> changes, Function<Change, Object> value) throws SQLException {
        return Sql.array(connection, type, changes.stream().map(value).toList());
    }
}
