package dev.silkroute.postgres.state;

import dev.silkroute.route.PeerEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which tables are through, in which session of their router, until that has been told. Not thread-safe. */
final class TableEnds {
    private final Map<Integer, TreeMap<Long, List<Table>>> routers = new HashMap<>();

    private record Table(PeerEntry peer, int family, boolean allViews) {}

    void add(int router, long session, PeerEntry peer, int family, boolean allViews) {
        routers.computeIfAbsent(router, _ -> new TreeMap<>())
                .computeIfAbsent(session, _ -> new ArrayList<>())
                .add(new Table(peer, family, allViews));
    }

    /** Before a session's routes come the ends of older sessions' tables, for they say nothing of these. */
    void tellOlder(int router, long than, SnapshotBatches batches) {
        TreeMap<Long, List<Table>> sessions = routers.get(router);
        if (sessions != null) {
            tell(router, sessions.headMap(than), batches);
        }
    }

    void tellAll(SnapshotBatches batches) {
        routers.forEach((router, sessions) -> tell(router, sessions, batches));
    }

    private static void tell(int router, Map<Long, List<Table>> sessions, SnapshotBatches batches) {
        sessions.forEach((session, tables) ->
                tables.forEach(table -> batches.endOfRib(router, session, table.peer, table.family, table.allViews)));
        sessions.clear();
    }
}
