package dev.silkroute.postgres.state;

import dev.silkroute.route.PeerEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The synchronized tables of each router by session, until their End-of-RIB is emitted. Not thread-safe. */
final class TableEnds {
    private final Map<Integer, TreeMap<Long, List<Table>>> routers = new HashMap<>();

    private record Table(PeerEntry peer, int family, boolean allViews) {}

    void add(int router, long session, PeerEntry peer, int family, boolean allViews) {
        routers.computeIfAbsent(router, _ -> new TreeMap<>())
                .computeIfAbsent(session, _ -> new ArrayList<>())
                .add(new Table(peer, family, allViews));
    }

    /** Emits the End-of-RIB of older sessions' tables, which must precede the routes of a session. */
    void emitOlder(int router, long than, SnapshotBatches batches) {
        TreeMap<Long, List<Table>> sessions = routers.get(router);
        if (sessions != null) {
            emit(router, sessions.headMap(than), batches);
        }
    }

    void emitAll(SnapshotBatches batches) {
        routers.forEach((router, sessions) -> emit(router, sessions, batches));
    }

    private static void emit(int router, Map<Long, List<Table>> sessions, SnapshotBatches batches) {
        sessions.forEach((session, tables) ->
                tables.forEach(table -> batches.endOfRib(router, session, table.peer, table.family, table.allViews)));
        sessions.clear();
    }
}
