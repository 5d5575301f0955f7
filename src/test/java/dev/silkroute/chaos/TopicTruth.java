package dev.silkroute.chaos;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * What {@code bmp.routes} says, from its beginning: each event once and in order, and which announcements of a table that was dumped again
 * are news. Worked out from what the events say and from nothing that the station's writers conclude. Not thread-safe.
 */
final class TopicTruth {
    private final Findings.Kind repeated;
    private final Findings.Kind disordered;
    private final Findings.Kind unreadable;
    private final SortedMap<Long, SentEvents> sessions = new TreeMap<>();
    private final Map<Long, Long> lastSequences = new HashMap<>();
    private final Map<String, RouterTable> routers = new HashMap<>();
    private final Map<Cause, Long> withdrawn = new HashMap<>();
    private final Map<Cause, Long> spared = new HashMap<>();
    private long events;

    /** The event by which routes are gone of which the router says no word. */
    record Cause(long session, long sequence) {}

    /** A route's key; families that are no prefixes have all their NLRI in {@code other}. */
    private record Key(
            PeerEntry peer,
            int family,
            boolean hasPathId,
            int pathId,
            long rd,
            long high,
            long low,
            int length,
            String other) {}

    private record Content(long attributesHigh, long attributesLow, long labels, long marking, long session) {}

    private record Table(PeerEntry peer, int family) {}

    private static final class RouterTable {
        final Map<Key, Content> routes = new HashMap<>();
        final Set<Table> complete = new HashSet<>();
        /** What is gone by an End-of-RIB, until the router speaks of it again. */
        final Map<Key, Cause> swept = new HashMap<>();

        long session;
    }

    TopicTruth(Findings findings) {
        repeated = findings.kind("event of bmp.routes that is in the topic twice");
        disordered = findings.kind("event of bmp.routes after a later one of its session");
        unreadable = findings.kind("record of bmp.routes that can't be read");
    }

    static TopicTruth read(String bootstrap, Findings findings) {
        TopicTruth truth = new TopicTruth(findings);
        Topic.read(bootstrap, "bmp.routes", record -> truth.add(record.value()));
        truth.repeated.close();
        truth.disordered.close();
        truth.unreadable.close();
        return truth;
    }

    /** Announcements and withdrawals. */
    long events() {
        return events;
    }

    SortedMap<Long, SentEvents> sessions() {
        return sessions;
    }

    /** How many routes are gone by which End-of-RIB or Peer Down. */
    Map<Cause, Long> withdrawn() {
        return withdrawn;
    }

    /**
     * Of how many of those the router spoke again later in the same session: the station takes them away some time after an End-of-RIB, and what
     * is there again by then stays.
     */
    Map<Cause, Long> spared() {
        return spared;
    }

    private void add(byte[] record) {
        RouteBatch batch;
        try {
            batch = RouteBatch.read(record);
        } catch (RuntimeException e) {
            unreadable.add(e);
            return;
        }
        RouterTable table = routers.computeIfAbsent(batch.router(), _ -> new RouterTable());
        if (table.session != batch.sessionId()) {
            table.session = batch.sessionId();
            table.complete.clear();
            table.swept.clear();
        }
        long last = lastSequences.getOrDefault(batch.sessionId(), -1L);
        RouteCursor event = batch.cursor();
        while (event.next()) {
            if (event.synthetic()) {
                endOfRib(table, batch, event);
                continue;
            }
            if (event.sequence() <= last) {
                (event.sequence() == last ? repeated : disordered)
                        .add(batch.router(), batch.sessionId(), event.sequence(), event.kind());
                continue;
            }
            last = event.sequence();
            switch (event.kind()) {
                case ANNOUNCE, WITHDRAW -> route(table, batch, event);
                case END_OF_RIB -> endOfRib(table, batch, event);
                case PEER_DOWN -> peerDown(table, batch, event);
                case PEER_UP, SESSION_UP, SESSION_DOWN, COLLECTOR_START -> {}
            }
        }
        lastSequences.put(batch.sessionId(), last);
    }

    private void endOfRib(RouterTable table, RouteBatch batch, RouteCursor event) {
        if (event.kind() != EventKind.END_OF_RIB) {
            return;
        }
        PeerEntry peer = batch.peer(event.peerIndex());
        if (table.complete.add(new Table(peer, event.family()))) {
            withdraw(
                    table,
                    batch,
                    event,
                    (key, content) -> key.family() == event.family()
                            && key.peer().equals(peer)
                            && content.session() != batch.sessionId());
        }
    }

    private void peerDown(RouterTable table, RouteBatch batch, RouteCursor event) {
        PeerEntry peer = batch.peer(event.peerIndex());
        boolean all = event.allViews();
        withdraw(table, batch, event, (key, _) -> same(key.peer(), peer, all));
        table.complete.removeIf(complete -> same(complete.peer(), peer, all));
    }

    private static boolean same(PeerEntry one, PeerEntry other, boolean inAnyView) {
        return one.peerType() == other.peerType()
                && one.distinguisher() == other.distinguisher()
                && one.addressHigh() == other.addressHigh()
                && one.addressLow() == other.addressLow()
                && (inAnyView || one.view() == other.view());
    }

    private void withdraw(RouterTable table, RouteBatch batch, RouteCursor event, BiPredicate<Key, Content> gone) {
        Cause cause = new Cause(batch.sessionId(), event.sequence());
        int before = table.routes.size();
        if (event.kind() == EventKind.END_OF_RIB) {
            table.routes.forEach((key, content) -> {
                if (gone.test(key, content)) {
                    table.swept.put(key, cause);
                }
            });
        }
        table.routes.entrySet().removeIf(route -> gone.test(route.getKey(), route.getValue()));
        if (table.routes.size() < before) {
            withdrawn.merge(cause, (long) before - table.routes.size(), Long::sum);
        }
    }

    private void route(RouterTable table, RouteBatch batch, RouteCursor event) {
        events++;
        SentEvents sent = sessions.computeIfAbsent(batch.sessionId(), _ -> new SentEvents());
        Key key = key(batch, event);
        Cause cause = table.swept.remove(key);
        if (cause != null) {
            spared.merge(cause, 1L, Long::sum);
        }
        if (event.kind() == EventKind.WITHDRAW) {
            table.routes.remove(key);
            sent.add(event.sequence(), 0, 0);
            return;
        }
        int set = event.attributes();
        Content now = new Content(
                batch.hashHigh(set), batch.hashLow(set), labels(event.nlri()), event.marking(), batch.sessionId());
        Content before = table.routes.put(key, now);
        boolean unchanged = before != null
                && before.session() != now.session()
                && before.equals(new Content(
                        now.attributesHigh(), now.attributesLow(), now.labels(), now.marking(), before.session()))
                && !table.complete.contains(new Table(key.peer(), key.family()));
        sent.add(event.sequence(), now.attributesLow(), SentEvents.ANNOUNCED | (unchanged ? SentEvents.UNCHANGED : 0));
    }

    private static Key key(RouteBatch batch, RouteCursor event) {
        NlriReader nlri = event.nlri();
        PeerEntry peer = batch.peer(event.peerIndex());
        if (nlri.isPrefix()) {
            return new Key(
                    peer,
                    event.family(),
                    nlri.hasPathId(),
                    nlri.pathId(),
                    nlri.rd(),
                    nlri.addressHigh(),
                    nlri.addressLow(),
                    nlri.prefixLength(),
                    "");
        }
        String bytes = new String(batch.bytes(), nlri.from(), nlri.to() - nlri.from(), StandardCharsets.ISO_8859_1);
        return new Key(peer, event.family(), nlri.hasPathId(), nlri.pathId(), 0, 0, 0, 0, bytes);
    }

    private static long labels(NlriReader nlri) {
        long labels = 1;
        for (int i = 0; i < nlri.labelCount(); i++) {
            labels = labels << 20 ^ labels >>> 44 ^ nlri.label(i);
        }
        return labels;
    }
}
