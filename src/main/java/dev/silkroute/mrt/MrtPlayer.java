package dev.silkroute.mrt;

import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts MRT records to the BMP messages of routers. A PEER_INDEX_TABLE of a new collector or view starts a router,
 * and messages of peers belong to the router of the last table. Before any table, each AS number of a collector is a
 * router. Not thread-safe.
 */
final class MrtPlayer {
    private static final int MAX_ROUTERS = 1024;
    private static final int MAX_PEERS = 1 << 17;

    /** Records of a kind that is not converted. */
    private record Skipped(long count, long firstOffset) {}

    private final String file;
    private final BgpSessions sessions;
    private final TableDump table;
    private final PeerMessages messages;
    private final List<MrtRouter> routers = new ArrayList<>();
    private final Map<String, MrtRouter> byName = new LinkedHashMap<>();
    private final Map<Integer, MrtRouter> byAsn = new LinkedHashMap<>();
    private final Map<String, Skipped> skipped = new LinkedHashMap<>();
    private @Nullable MrtRouter fromTable;
    private boolean isTableOpen;
    private long tableMicros;

    MrtPlayer(SessionCapabilitiesList capabilities, String file) {
        this.file = file;
        sessions = new BgpSessions(capabilities);
        table = new TableDump(sessions);
        messages = new PeerMessages(sessions);
    }

    /** Returns all routers so far, with the generated messages that were not consumed yet. */
    List<MrtRouter> routers() {
        return routers;
    }

    List<BgpSessions.Opened> opened() {
        return sessions.opened();
    }

    /**
     * Converts a record.
     *
     * @throws DecodeException with the offset in the record's body; messages before the error were generated
     */
    void play(MrtRecord record) {
        switch (record.type()) {
            case MrtRecord.TABLE_DUMP_V2 -> playTable(record);
            case MrtRecord.BGP4MP, MrtRecord.BGP4MP_ET -> playMessage(record);
            case MrtRecord.TABLE_DUMP -> skip("TABLE_DUMP records, the form before TABLE_DUMP_V2", record);
            default -> skip("records of type " + record.type() + ", which are not BGP", record);
        }
    }

    private void playTable(MrtRecord record) {
        ByteCursor body = record.body(TableDump.SECTION);
        if (record.subtype() == TableDump.PEER_INDEX_TABLE) {
            endTable();
            int bgpId = body.i32();
            String name = MrtRouter.name(bgpId, TableDump.viewName(body), file);
            MrtRouter router = byName.get(name);
            if (router == null) {
                router = begin(name, bgpId, record);
                byName.put(name, router);
            }
            fromTable = router;
            table.readPeers(router, body);
            check(router);
        } else if (TableDump.hasRoutes(record.subtype())) {
            MrtRouter router = fromTable;
            if (router == null) {
                throw body.fault("routes of a table before its PEER_INDEX_TABLE");
            }
            isTableOpen = true;
            tableMicros = record.timeMicros();
            table.readRoutes(router, record.subtype(), body, tableMicros);
        } else {
            skip("TABLE_DUMP_V2 records of subtype " + record.subtype(), record);
        }
    }

    private void playMessage(MrtRecord record) {
        endTable();
        if (!PeerMessages.isKnown(record.subtype())) {
            skip("BGP4MP records of subtype " + record.subtype(), record);
            return;
        }
        ByteCursor body = record.body(PeerMessages.SECTION);
        messages.begin(record.subtype(), body);
        if (!PeerMessages.isRelevant(record.subtype(), body)) {
            return;
        }
        MrtRouter router = fromTable;
        if (router == null) {
            router = byAsn.get(messages.localAsn());
        }
        if (router == null) {
            router = begin(messages.collector(), messages.collectorId(), record);
            byAsn.put(messages.localAsn(), router);
        }
        messages.play(router, record.subtype(), body, record.timeMicros());
        check(router);
    }

    /** Must be called at the end of a complete file. */
    void finish() {
        endTable();
    }

    private void endTable() {
        if (isTableOpen && fromTable != null) {
            table.end(fromTable, tableMicros);
        }
        isTableOpen = false;
    }

    private MrtRouter begin(String name, int bgpId, MrtRecord record) {
        if (routers.size() == MAX_ROUTERS) {
            throw new DecodeException("more than " + MAX_ROUTERS + " collectors", 0, "RFC 6396");
        }
        MrtRouter router = new MrtRouter(routers.size(), name, bgpId, record.offset(), record.timeMicros(), file);
        routers.add(router);
        return router;
    }

    private static void check(MrtRouter router) {
        if (router.peers() > MAX_PEERS) {
            throw new DecodeException("more than " + MAX_PEERS + " peers", 0, "RFC 6396");
        }
    }

    private void skip(String what, MrtRecord record) {
        Skipped before = skipped.getOrDefault(what, new Skipped(0, record.offset()));
        skipped.put(what, new Skipped(before.count() + 1, before.firstOffset()));
    }

    /** Returns a line for each kind of records that was not converted. */
    List<String> notes() {
        return skipped.entrySet().stream()
                .map(one -> "left out: " + one.getValue().count() + " " + one.getKey() + ", the first at offset "
                        + one.getValue().firstOffset())
                .toList();
    }
}
