package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.state.RouterSession;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the routes of the tables that {@code options.monitorTables} names, and compares the numbers with its entries
 * at multiples of ten seconds. A route of a table that is not counted costs nothing; each group of a batch, a lookup.
 * Not thread-safe.
 */
final class TableSizes {
    private static final long NOT_GONE = Long.MAX_VALUE;

    private final AlertRules rules;
    private final AlertSettings settings;
    private final FeedStates feeds;
    private final OpenAlerts alerts;
    private final boolean repeatsMissing;
    private final Map<Key, CountedTable> tables = new TreeMap<>();
    /** In the order of the routers. */
    private final NavigableMap<AlertSubject.OfTable, TableSize> sizes = new TreeMap<>();

    private int routes;
    private long omitted;
    /** The table of the current group of a batch; null if it is not counted. */
    private @Nullable CountedTable current;

    private record Key(RouteSource source, int family) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::source).thenComparingInt(Key::family);

        Key(String router, PeerEntry peer, int family) {
            this(new RouteSource(router, peer, RouteSource.NO_PATH_ID), family);
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** @param repeatsMissing see {@link AlertEngine#ofHistory} */
    TableSizes(AlertRules rules, AlertSettings settings, FeedStates feeds, OpenAlerts alerts, boolean repeatsMissing) {
        this.rules = rules;
        this.settings = settings;
        this.feeds = feeds;
        this.alerts = alerts;
        this.repeatsMissing = repeatsMissing;
    }

    void clear() {
        tables.clear();
        sizes.clear();
        routes = 0;
        current = null;
    }

    int tables() {
        return tables.size();
    }

    /** Returns the number of routes that are counted. */
    int routes() {
        return routes;
    }

    /** Returns how many announcements were not counted because of a bound. */
    long omitted() {
        return omitted;
    }

    /** Counts an announcement or a withdrawal. */
    void route(RouteBatch batch, RouteCursor cursor, long at) {
        boolean announced = cursor.kind() == EventKind.ANNOUNCE;
        if (cursor.startsGroup()) {
            current = table(batch.router(), batch.peer(cursor.peerIndex()), cursor.family(), announced);
        }
        CountedTable table = current;
        if (table == null || cursor.synthetic() && !feeds.isUp(batch.router())) {
            return; // what expires is removed by expire
        }
        if (announced && !table.isMentionedBy(batch.sessionId())) {
            begin(table, batch.sessionId(), at);
        }
        if (announced && routes >= settings.maxCountedRoutes()) {
            omitted++;
            table.truncate();
            table.changed(at);
            return;
        }
        NlriReader nlri = cursor.nlri();
        int more = announced ? table.announce(nlri) : table.withdraw(nlri);
        if (more != 0) {
            routes += more;
            String event = announced ? Evidence.ANNOUNCE : cursor.synthetic() ? Evidence.END_OF_RIB : Evidence.WITHDRAW;
            table.setLast(event, batch.sessionId(), cursor.sequence(), batch.receivedAtMicros());
            table.changed(at);
        }
    }

    private void begin(CountedTable table, long session, long at) {
        table.begin(session, at, !repeatsMissing);
        table.changed(at);
    }

    /** Returns the table if it is counted; creates it for its first announcement. */
    private @Nullable CountedTable table(String router, PeerEntry peer, int family, boolean create) {
        if (!rules.monitorsTables(peer.view(), family) || peer.isOfVrf()) {
            return null;
        }
        Key key = new Key(router, peer, family);
        CountedTable known = tables.get(key);
        return known != null || !create ? known : create(key, peer);
    }

    private @Nullable CountedTable create(Key key, PeerEntry peer) {
        String router = key.source().router();
        VantagePoint vantagePoint = key.source().vantagePoint();
        List<TableSize> of = new ArrayList<>();
        for (VantagePoint each : new VantagePoint[] {vantagePoint, null}) {
            AlertSubject.OfTable subject = new AlertSubject.OfTable(router, each, peer.view(), key.family());
            MonitoredTable entry = rules.monitoredTable(subject);
            if (entry != null) {
                of.add(sizes.computeIfAbsent(subject, _ -> new TableSize(subject, entry)));
            }
        }
        if (of.isEmpty()) {
            return null;
        }
        if (tables.size() >= settings.maxTables()) {
            omitted++;
            of.stream().filter(size -> size.tables().isEmpty()).forEach(size -> sizes.remove(size.subject()));
            return null;
        }
        CountedTable table = new CountedTable(key.source(), key.family(), vantagePoint, of);
        of.forEach(size -> size.tables().add(table));
        tables.put(key, table);
        return table;
    }

    /** A Peer Up begins the tables of the peer in all views, also those that have no route yet. */
    void peerUp(RouteBatch batch, PeerEntry peer, RouteCursor cursor, long at) {
        for (int family : new int[] {Family.IPV4_UNICAST, Family.IPV6_UNICAST}) {
            table(batch.router(), peer, family, true);
        }
        forEach(batch.router(), table -> {
            if (table.isOf(batch.router(), peer, true)) {
                table.setLast(Evidence.PEER_UP, batch.sessionId(), cursor.sequence(), batch.receivedAtMicros());
                begin(table, batch.sessionId(), at);
            }
        });
    }

    void peerDown(RouteBatch batch, PeerEntry peer, RouteCursor cursor, long at) {
        forEach(batch.router(), table -> {
            if (table.isOf(batch.router(), peer, cursor.coversAllViews())) {
                routes -= table.down(batch.sessionId(), at);
                table.changed(at);
            }
        });
    }

    void endOfRib(RouteBatch batch, PeerEntry peer, RouteCursor cursor, long at) {
        boolean allTables = cursor.coversAllViews();
        forEach(batch.router(), table -> {
            if (table.isUp()
                    && table.isOf(batch.router(), peer, allTables)
                    && (allTables || table.isOf(cursor.family()))) {
                if (!table.isMentionedBy(batch.sessionId())) {
                    begin(table, batch.sessionId(), at);
                }
                int ended = table.end();
                if (ended > 0) {
                    routes -= ended;
                    table.setLast(Evidence.END_OF_RIB, batch.sessionId(), cursor.sequence(), batch.receivedAtMicros());
                }
                table.changed(at);
            }
        });
    }

    /** Takes over from the current state that a session has sent the End-of-RIB of tables. */
    void completed(String router, PeerEntry peer, int family, long session) {
        forEach(router, table -> {
            if (table.isOf(router, peer, false) && (family == 0 || table.isOf(family))) {
                table.completedBy(session);
            }
        });
    }

    /** Takes over a report of a router. */
    void report(ReportedSize report) {
        TableSize size = sizes.get(report.table());
        if (size != null && !size.report(report)) {
            omitted++;
        }
    }

    /** Takes over that the session of a router has begun or ended. */
    void routerChanged(String router, long at) {
        forEach(router, table -> table.changed(at));
    }

    private void forEach(String router, Consumer<CountedTable> action) {
        for (CountedTable table : List.copyOf(tables.values())) {
            if (table.router().equals(router)) {
                action.accept(table);
            }
        }
    }

    /**
     * Ends loading, and evaluates all tables. The history does not contain what the newest session of a router has
     * repeated, so it counts as the one that has sent the tables.
     */
    void settle(long now) {
        for (Alert alert : alerts.all()) {
            if (alert.rule() == AlertRule.TABLE_DIVERGENCE && alert.subject() instanceof AlertSubject.OfTable table) {
                TableSize size = sizes.get(table);
                if (size != null) {
                    size.restore(alert);
                }
            }
        }
        if (repeatsMissing) {
            for (CountedTable table : tables.values()) {
                table.completeIn(feeds.of(table.router()).id());
            }
        }
        forget(now);
        sizes.values().forEach(size -> update(size, now));
        closeForgotten(now);
    }

    /** Returns when something is due that the last evaluation did not find, {@link Long#MAX_VALUE} if nothing is. */
    long nextDue() {
        long due = Long.MAX_VALUE;
        for (TableSize size : sizes.values()) {
            due = Math.min(due, size.nextDue());
        }
        for (CountedTable table : tables.values()) {
            long gone = goneSince(table);
            if (gone != NOT_GONE) {
                due = Math.min(due, gone + settings.staleMicros() + 1);
            }
        }
        return due;
    }

    /** Returns since when the router is disconnected, the peer is down, or the newest session has not mentioned it. */
    private long goneSince(CountedTable table) {
        RouterSession session = feeds.of(table.router());
        if (!table.isUp()) {
            return table.since();
        }
        return session.isUp() && table.isMentionedBy(session.id()) ? NOT_GONE : session.since();
    }

    private void forget(long now) {
        for (Map.Entry<Key, CountedTable> entry : List.copyOf(tables.entrySet())) {
            CountedTable table = entry.getValue();
            long gone = goneSince(table);
            if (gone != NOT_GONE && now - gone > settings.staleMicros()) {
                routes -= table.size();
                tables.remove(entry.getKey());
                table.sizes().forEach(size -> {
                    size.tables().remove(table);
                    size.evaluateAt(now);
                    if (size.tables().isEmpty()) {
                        sizes.remove(size.subject());
                    }
                });
            }
        }
    }

    /** Evaluates the tables for which something is due, and closes the alerts on those that are no longer counted. */
    void evaluate(long tick) {
        forget(tick);
        sizes.values().forEach(size -> evaluate(size, tick));
        closeForgotten(tick);
    }

    /**
     * Evaluates the tables of a router at a tick, before an event that is later. Does nothing where this has
     * happened.
     */
    void evaluate(String router, long tick) {
        AlertSubject.OfTable first = new AlertSubject.OfTable(router, null, RibView.values()[0], 0);
        sizes.tailMap(first).values().stream()
                .takeWhile(size -> size.subject().router().equals(router))
                .forEach(size -> evaluate(size, tick));
    }

    /** Evaluates a table as of the tick after its last change, which may be before {@code tick}, and as of this. */
    private void evaluate(TableSize size, long tick) {
        if (size.changeDue() < tick) {
            update(size, size.changeDue());
        }
        if (size.nextDue() <= tick) {
            update(size, tick);
        }
    }

    private void update(TableSize size, long at) {
        AlertSubject.OfTable subject = size.subject();
        RouterSession session = feeds.of(subject.router());
        alerts.update(subject, AlertScope.of(size.entry()), size.evaluate(session.isUp(), session.id(), at), at);
    }

    private void closeForgotten(long at) {
        List<AlertSubject.OfTable> forgotten = new ArrayList<>();
        alerts.all().forEach(alert -> {
            if (alert.subject() instanceof AlertSubject.OfTable subject && !sizes.containsKey(subject)) {
                forgotten.add(subject);
            }
        });
        forgotten.forEach(subject -> alerts.update(subject, AlertScope.of((MonitoredPrefix) null), Map.of(), at));
    }
}
