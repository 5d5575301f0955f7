package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.Times;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction knows of the tables of its peers: the generation that their routes are of, the newest session that spoke of them,
 * and which are through in a session. Read at its beginning, changed with its events, written at its end; the routers are locked
 * against the {@code Withdrawals} meanwhile.
 */
final class RibTables {
    private static final String TABLES = "SELECT peer_id, rib_view, generation, session_id, since_session, blank"
            + " FROM bmp.rib_table WHERE peer_id = ANY (?)";
    private static final String SYNC =
            "SELECT peer_id, rib_view, family, session_id FROM bmp.rib_sync WHERE peer_id = ANY (?)";
    private static final String ENDED = "SELECT EXISTS (SELECT FROM bmp.rib_ended WHERE peer_id = ANY (?)),"
            + " EXISTS (SELECT FROM bmp.rib_confirmed WHERE peer_id = ANY (?))";
    private static final String WRITE = """
            INSERT INTO bmp.rib_table (peer_id, rib_view, generation, session_id, since_session, blank) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (peer_id, rib_view) DO UPDATE SET generation = excluded.generation, session_id = excluded.session_id,
              since_session = excluded.since_session, blank = excluded.blank""";
    private static final String END = "INSERT INTO bmp.rib_ended (peer_id, rib_view, generation, session_id, sequence,"
            + " received_at) VALUES (?, ?, ?, ?, ?, ?)";
    /** What was noted of the routes that are gone. */
    private static final List<String> FORGET = List.of(
            "DELETE FROM bmp.rib_confirmed WHERE peer_id = ? AND rib_view = ?",
            "DELETE FROM bmp.rib_resync WHERE peer_id = ? AND rib_view = ?");

    private static final String RESYNC = """
            INSERT INTO bmp.rib_resync AS t (peer_id, rib_view, family, session_id, sequence, received_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (peer_id, rib_view, family) DO UPDATE SET session_id = excluded.session_id,
              sequence = excluded.sequence, received_at = excluded.received_at
            WHERE t.session_id < excluded.session_id""";

    static final int ALL_VIEWS = -1;

    private final Connection connection;
    private final Map<Key, Table> tables = new HashMap<>();
    private final Map<Family, Long> synced = new HashMap<>();
    private boolean ended;
    private boolean confirmed;

    private record Key(int peer, int view) {}

    private record Family(int peer, int view, int family) {}

    /** The routes of a peer in one view. */
    static final class Table {
        private final Key key;
        private int generation;
        private long session;
        private long sinceSession;
        private boolean blank = true;
        private boolean changed;

        private Table(Key key) {
            this.key = key;
        }

        int generation() {
            return generation;
        }
    }

    private RibTables(Connection connection) {
        this.connection = connection;
    }

    static RibTables read(Connection connection, Set<Integer> peers) throws SQLException {
        RibTables read = new RibTables(connection);
        if (!peers.isEmpty()) {
            read.read(peers);
        }
        return read;
    }

    private void read(Set<Integer> peers) throws SQLException {
        var ids = connection.createArrayOf("integer", peers.toArray());
        try (PreparedStatement query = connection.prepareStatement(TABLES)) {
            query.setArray(1, ids);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    Table table = new Table(new Key(row.getInt(1), row.getInt(2)));
                    table.generation = row.getInt(3);
                    table.session = row.getLong(4);
                    table.sinceSession = row.getLong(5);
                    table.blank = row.getBoolean(6);
                    tables.put(table.key, table);
                }
            }
        }
        try (PreparedStatement query = connection.prepareStatement(SYNC)) {
            query.setArray(1, ids);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    synced.put(new Family(row.getInt(1), row.getInt(2), row.getInt(3)), row.getLong(4));
                }
            }
        }
        try (PreparedStatement query = connection.prepareStatement(ENDED)) {
            query.setArray(1, ids);
            query.setArray(2, ids);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                ended = row.getBoolean(1);
                confirmed = row.getBoolean(2);
            }
        }
    }

    /** Whether there may be rows of generations that have ended. */
    boolean ended() {
        return ended;
    }

    /** Whether routes may have been confirmed before. */
    boolean confirmed() {
        return confirmed;
    }

    void confirmedSome() {
        confirmed = true;
    }

    /** The table that a route of a session is of; null if the session is older than one that has spoken of it. */
    @Nullable
    Table of(int peer, int view, long session) {
        Table table = tables.get(new Key(peer, view));
        return table == null || table.session <= session ? table : null;
    }

    /** The same for an announcement, whose table begins with it if need be. */
    @Nullable
    Table announced(int peer, int view, long session) {
        Table table = tables.computeIfAbsent(new Key(peer, view), Table::new);
        if (table.blank && table.session <= session) {
            table.blank = false;
            table.sinceSession = session;
            table.session = session;
            table.changed = true;
        }
        hear(table, session);
        return table.session <= session ? table : null;
    }

    private static void hear(Table table, long session) {
        if (table.session < session) {
            table.session = session;
            table.changed = true;
        }
    }

    /** A session has spoken of a peer: what older ones say of it counts no more. */
    void heard(int peer, long session) {
        views(peer, ALL_VIEWS).forEach(table -> hear(table, session));
    }

    private Collection<Table> views(int peer, int view) {
        List<Table> views = new ArrayList<>(1);
        for (int i = view == ALL_VIEWS ? 0 : view; i <= (view == ALL_VIEWS ? RibKey.LAST_VIEW : view); i++) {
            Table table = tables.get(new Key(peer, i));
            if (table != null) {
                views.add(table);
            }
        }
        return views;
    }

    /** Whether a table is through in a session, and what older ones left is taken away; or nothing is of older ones. */
    boolean synced(int peer, int view, int family, long session) {
        Table table = tables.get(new Key(peer, view));
        if (table != null && !table.blank && table.sinceSession >= session) {
            return true;
        }
        Long newest = synced.get(new Family(peer, view, family));
        return newest != null && newest >= session;
    }

    /** Its routes in a view, or all, are gone, as far as no newer session has spoken of them. */
    void peerDown(int peer, int view, long session, long sequence, long receivedMicros) throws SQLException {
        for (Table table : views(peer, view)) {
            if (table.blank || table.session > session) {
                continue;
            }
            try (PreparedStatement end = connection.prepareStatement(END)) {
                end.setInt(1, peer);
                end.setInt(2, table.key.view);
                end.setInt(3, table.generation);
                end.setLong(4, session);
                end.setLong(5, sequence);
                end.setObject(6, Times.of(receivedMicros));
                end.executeUpdate();
            }
            for (String forget : FORGET) {
                try (PreparedStatement statement = connection.prepareStatement(forget)) {
                    statement.setInt(1, peer);
                    statement.setInt(2, table.key.view);
                    statement.executeUpdate();
                }
            }
            table.generation++;
            table.blank = true;
            table.session = session;
            table.changed = true;
            ended = true;
        }
    }

    /** A table is through, or all of the peer's. Where nothing older can be left of it, nothing is to be done. */
    void endOfRib(int peer, int view, int family, long session, long sequence, long receivedMicros)
            throws SQLException {
        heard(peer, session);
        boolean all = family == 0;
        boolean nothingOlder = views(peer, all ? ALL_VIEWS : view).stream()
                .allMatch(table -> table.blank || table.sinceSession >= session || table.session > session);
        if (nothingOlder || !all && synced(peer, view, family, session)) {
            return;
        }
        try (PreparedStatement resync = connection.prepareStatement(RESYNC)) {
            resync.setInt(1, peer);
            resync.setInt(2, all ? ALL_VIEWS : view);
            resync.setInt(3, family);
            resync.setLong(4, session);
            resync.setLong(5, sequence);
            resync.setObject(6, Times.of(receivedMicros));
            resync.executeUpdate();
        }
    }

    /** Writes what has changed. */
    void write() throws SQLException {
        try (PreparedStatement write = connection.prepareStatement(WRITE)) {
            for (Table table : tables.values()) {
                if (table.changed) {
                    write.setInt(1, table.key.peer);
                    write.setInt(2, table.key.view);
                    write.setInt(3, table.generation);
                    write.setLong(4, table.session);
                    write.setLong(5, table.sinceSession);
                    write.setBoolean(6, table.blank);
                    write.addBatch();
                }
            }
            write.executeBatch();
        }
    }
}
