package dev.silkroute.chaos;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.fixture.TopicReader;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of each route in {@code bmp.routes}, and its removals without a withdrawal. Computed from the events of
 * the topic only, independently of the station's writers. Not thread-safe.
 */
final class TopicTruth {
    private final Findings.Kind repeated;
    private final Findings.Kind disordered;
    private final @Nullable Findings.Kind overlapping;
    private final Findings.Kind unreadable;
    private final Map<Long, SessionEvents> sessions = new HashMap<>();
    private final Map<Long, Long> lastSequences = new HashMap<>();
    private final Map<String, Router> routers = new HashMap<>();
    private long events;

    /** Identifies an event. */
    record Place(long session, long sequence) {}

    /** A route within its table. NLRI that are not prefixes are in {@code other} completely. */
    private record Key(boolean hasPathId, int pathId, long rd, long high, long low, int length, String other) {}

    private static final class Router {
        final List<Table> tables = new ArrayList<>();
        long session;

        Table table(PeerEntry peer, int family) {
            for (Table table : tables) {
                if (table.family == family && table.peer.equals(peer)) {
                    return table;
                }
            }
            Table table = new Table(peer, family);
            tables.add(table);
            return table;
        }
    }

    /** The routes of a peer in one view and family. */
    static final class Table {
        private final PeerEntry peer;
        private final int family;
        private final Map<Key, RouteStory> routes = new HashMap<>();
        private final Set<Place> ends = new HashSet<>();
        private boolean complete;

        private Table(PeerEntry peer, int family) {
            this.peer = peer;
            this.family = family;
        }

        /** Returns whether the event may remove routes of the table. */
        boolean ends(long session, long sequence) {
            return ends.contains(new Place(session, sequence));
        }
    }

    TopicTruth(Findings findings) {
        this(findings, false);
    }

    /**
     * @param overlaps whether a router may have several sessions at the same time. Only the newest one counts: events
     *     of the others belong nowhere
     */
    TopicTruth(Findings findings, boolean overlaps) {
        repeated = findings.kind("duplicate event in bmp.routes");
        disordered = findings.kind("event of bmp.routes after a later one of its session");
        overlapping = overlaps ? null : findings.kind("event of bmp.routes after one of a newer session of its router");
        unreadable = findings.kind("unreadable record of bmp.routes");
    }

    static TopicTruth read(String bootstrap, Findings findings) {
        return read(bootstrap, findings, false);
    }

    static TopicTruth read(String bootstrap, Findings findings, boolean overlaps) {
        TopicTruth truth = new TopicTruth(findings, overlaps);
        Findings.Kind scattered = findings.kind("router with records in several partitions of bmp.routes");
        Map<String, Integer> partitions = new HashMap<>();
        TopicReader.read(bootstrap, "bmp.routes", record -> {
            String router = truth.add(record.value());
            Integer other = partitions.putIfAbsent(router, record.partition());
            if (!router.isEmpty() && other != null && other != record.partition()) {
                scattered.add(router, "in", other, "and", record.partition());
            }
        });
        scattered.close();
        truth.close();
        return truth;
    }

    /** Adds the errors of the topic to the findings. */
    void close() {
        List.of(repeated, disordered, unreadable).forEach(Findings.Kind::close);
        if (overlapping != null) {
            overlapping.close();
        }
    }

    /** Returns the number of announcements and withdrawals. */
    long events() {
        return events;
    }

    /** Returns the route of an announcement or withdrawal, or null if the topic has no such event. */
    @Nullable
    RouteStory route(long session, long sequence) {
        SessionEvents of = sessions.get(session);
        return of == null ? null : of.route(sequence);
    }

    void forEach(Consumer<RouteStory> each) {
        for (Router router : routers.values()) {
            router.tables.forEach(table -> table.routes.values().forEach(each));
        }
    }

    /** Returns the router of the record, which is empty if it is of several, or unreadable. */
    String add(byte[] record) {
        RouteBatch batch;
        try {
            batch = RouteBatch.read(record);
        } catch (RuntimeException e) {
            unreadable.add(e);
            return "";
        }
        if (batch.router().isEmpty()) {
            return ""; // the start of a collector, which has sessions of several routers
        }
        Router router = routers.computeIfAbsent(batch.router(), _ -> new Router());
        if (batch.sessionId() < router.session) {
            if (overlapping != null) {
                overlapping.add(batch.router(), batch.sessionId(), "after", router.session);
            }
            return batch.router();
        }
        if (router.session != batch.sessionId()) {
            router.session = batch.sessionId();
            router.tables.forEach(table -> table.complete = false);
        }
        long last = lastSequences.getOrDefault(batch.sessionId(), -1L);
        RouteCursor event = batch.cursor();
        while (event.next()) {
            if (event.synthetic()) {
                endOfRib(router, batch, event);
                continue;
            }
            if (event.sequence() <= last) {
                (event.sequence() == last ? repeated : disordered)
                        .add(batch.router(), batch.sessionId(), event.sequence(), event.kind());
                continue;
            }
            last = event.sequence();
            switch (event.kind()) {
                case ANNOUNCE, WITHDRAW -> route(router, batch, event);
                case END_OF_RIB -> endOfRib(router, batch, event);
                case PEER_DOWN -> peerDown(router, batch, event);
                case PEER_UP, SESSION_UP, SESSION_DOWN, COLLECTOR_START -> {}
            }
        }
        lastSequences.put(batch.sessionId(), last);
        return batch.router();
    }

    private static void endOfRib(Router router, RouteBatch batch, RouteCursor event) {
        if (event.kind() != EventKind.END_OF_RIB) {
            return;
        }
        PeerEntry peer = batch.peer(event.peerIndex());
        boolean all = event.family() == 0; // after a timeout, for all families of the peer
        if (!all) {
            router.table(peer, event.family());
        }
        for (Table table : router.tables) {
            if (all ? same(table.peer, peer, true) : table.family == event.family() && table.peer.equals(peer)) {
                table.ends.add(new Place(batch.sessionId(), event.sequence()));
                if (!table.complete) {
                    table.complete = true;
                    gone(table, batch, event, RouteStory.Word.GONE);
                }
            }
        }
    }

    private static void peerDown(Router router, RouteBatch batch, RouteCursor event) {
        PeerEntry peer = batch.peer(event.peerIndex());
        for (Table table : router.tables) {
            if (same(table.peer, peer, event.coversAllViews())) {
                table.ends.add(new Place(batch.sessionId(), event.sequence()));
                table.complete = false;
                gone(table, batch, event, RouteStory.Word.GONE_WITH_PEER);
            }
        }
    }

    private static boolean same(PeerEntry one, PeerEntry other, boolean inAnyView) {
        return one.peerType() == other.peerType()
                && one.distinguisher() == other.distinguisher()
                && one.addressHigh() == other.addressHigh()
                && one.addressLow() == other.addressLow()
                && (inAnyView || one.view() == other.view());
    }

    private static void gone(Table table, RouteBatch batch, RouteCursor event, RouteStory.Word how) {
        for (RouteStory route : table.routes.values()) {
            boolean alreadyRemoved = how == RouteStory.Word.GONE && route.lastSession() == batch.sessionId();
            if (route.there() && !alreadyRemoved) {
                route.add(how, batch.sessionId(), event.sequence(), 0, 0);
            }
        }
    }

    private void route(Router router, RouteBatch batch, RouteCursor event) {
        events++;
        PeerEntry peer = batch.peer(event.peerIndex());
        Table table = router.table(peer, event.family());
        Key key = key(batch, event);
        RouteStory route = table.routes.computeIfAbsent(
                key, _ -> new RouteStory(table, name(batch.router(), peer, event.family(), key)));
        sessions.computeIfAbsent(batch.sessionId(), _ -> new SessionEvents()).add(event.sequence(), route);
        if (event.kind() == EventKind.WITHDRAW) {
            route.add(RouteStory.Word.WITHDRAW, batch.sessionId(), event.sequence(), 0, 0);
            return;
        }
        int set = event.attributeSet();
        route.add(
                table.complete ? RouteStory.Word.ANNOUNCE : RouteStory.Word.ANNOUNCE_IN_DUMP,
                batch.sessionId(),
                event.sequence(),
                batch.hashLow(set),
                Objects.hash(batch.hashHigh(set), event.marking()) * 31L
                        ^ batch.hashLow(set)
                        ^ labels(event.nlri()) * 0x9E37_79B9_7F4A_7C15L);
    }

    private static String name(String router, PeerEntry peer, int family, Key key) {
        String nlri = key.other().isEmpty()
                ? "%x:%x/%d rd %x".formatted(key.high(), key.low(), key.length(), key.rd())
                : HexFormat.of().formatHex(key.other().getBytes(StandardCharsets.ISO_8859_1));
        return "%s peer %x:%x %s %s %s path %d"
                .formatted(
                        router,
                        peer.addressHigh(),
                        peer.addressLow(),
                        peer.view().text(),
                        Family.text(family),
                        nlri,
                        key.hasPathId() ? Integer.toUnsignedLong(key.pathId()) : -1);
    }

    private static Key key(RouteBatch batch, RouteCursor event) {
        NlriReader nlri = event.nlri();
        if (nlri.isPrefix()) {
            return new Key(
                    nlri.hasPathId(),
                    nlri.pathId(),
                    nlri.rd(),
                    nlri.addressHigh(),
                    nlri.addressLow(),
                    nlri.prefixLength(),
                    "");
        }
        String bytes = new String(batch.bytes(), nlri.from(), nlri.to() - nlri.from(), StandardCharsets.ISO_8859_1);
        return new Key(nlri.hasPathId(), nlri.pathId(), 0, 0, 0, 0, bytes);
    }

    private static long labels(NlriReader nlri) {
        long labels = 1;
        for (int i = 0; i < nlri.labelCount(); i++) {
            labels = labels << 20 ^ labels >>> 44 ^ nlri.label(i);
        }
        return labels;
    }
}
