package dev.silkroute.alert;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.path.BatchAttributes;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.VrpTable;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Evaluates rules on the records of {@code bmp.routes}: passes them and the time to what evaluates prefixes ({@link
 * TrackedPrefixes}), routers and peers ({@link GoneFinder}), and tables ({@link TableSizes}).
 *
 * <p>Unicast routes that routers receive or use count: Adj-RIB-In and Loc-RIB, not Adj-RIB-Out, and not those of VRFs
 * (peer type RD). A route whose path is empty originates in the AS of its peer.
 *
 * <p>Only current routes raise an alert, those that the newest session of a connected router has announced or
 * confirmed. Routes of a lost session are stale: they keep an alert open until the router's next session contradicts
 * them, or until they expire.
 *
 * <p>While a state is being loaded ({@link #load}), nothing is reported; {@link #settle} then reports the difference to
 * the alerts that were open before. Not thread-safe.
 */
public final class AlertEngine {
    /** Repetitions and expiries are processed at the next multiple of this time, whichever records arrive. */
    private static final long TICK_MICROS = 10_000_000;
    /** A tick is processed with the first record that is newer by this: those of other partitions may be read later. */
    private static final long GRACE_MICROS = 1_000_000;

    private final AlertRules rules;
    private final boolean countsTables;
    private final OpenAlerts alerts;
    private final FeedStates feeds;
    private final TrackedPrefixes prefixes;
    private final GoneFinder gone;
    private final TableSizes tables;

    private boolean loading;
    private long now;
    /** The last tick that has passed. */
    private long lastTick;
    /** True if batches have arrived since then that are older than it. */
    private boolean lateBatches;
    /** The routers that have sent something since the tick after it, which is still to be processed. */
    private final Set<String> routersAfterTick = new HashSet<>();
    /**
     * The time of what is being processed, which the alerts that it changes get. That of a record may be before the
     * present: records of other partitions may be newer, in an order that is not the same at each run.
     */
    private long processedTime;

    /** @param output receives the changes of alerts, in order */
    public AlertEngine(AlertRules rules, AlertSettings settings, Consumer<AlertRecord> output) {
        this(rules, settings, output, false);
    }

    /**
     * Returns an engine for the events of the history. It contains no route that a new session has repeated unchanged,
     * so a route counts as current while the router has any session; and instead of the end of a table it contains
     * synthetic withdrawals of what the table lacks.
     */
    public static AlertEngine ofHistory(AlertRules rules, AlertSettings settings, Consumer<AlertRecord> output) {
        return new AlertEngine(rules, settings, output, true);
    }

    private AlertEngine(
            AlertRules rules, AlertSettings settings, Consumer<AlertRecord> output, boolean repeatsMissing) {
        this.rules = rules;
        countsTables = rules.monitorsTables();
        feeds = new FeedStates(repeatsMissing);
        alerts = new OpenAlerts(settings, output);
        prefixes = new TrackedPrefixes(rules, settings, feeds, alerts, this::isLoading);
        gone = new GoneFinder(rules, settings, feeds, alerts);
        tables = new TableSizes(rules, settings, feeds, alerts, repeatsMissing);
    }

    /** Returns the number of open alerts. */
    public int openAlerts() {
        return alerts.size();
    }

    /** Returns the number of tracked routes and losses. */
    public int routes() {
        return prefixes.routes();
    }

    /** Returns how many announcements were not evaluated or counted because of a bound. */
    public long omitted() {
        return prefixes.omitted() + tables.omitted();
    }

    /** Returns the number of tables whose routes are counted. */
    public int countedTables() {
        return tables.tables();
    }

    /** Returns the number of routes that are counted. */
    public int countedRoutes() {
        return tables.routes();
    }

    /**
     * Takes over from the current state that a session has sent the End-of-RIB of tables.
     *
     * @param family 0 for all
     */
    public void endOfRib(String router, PeerEntry peer, int family, long session) {
        tables.completed(router, peer, family, session);
    }

    /**
     * Takes over an alert that is open.
     *
     * @param record the newest record of the alert
     * @throws IllegalArgumentException if the record is not valid
     */
    public void restore(JsonNode record) {
        Alert alert = Alert.read(record);
        alerts.restore(alert);
        moveClock(Math.max(now, alert.notifiedAt())); // it may have opened without an event
    }

    /** Removes all routes; open alerts stay open. The records that follow lead to the present state. */
    public void load() {
        loading = true;
        feeds.clear();
        prefixes.load();
        tables.clear();
        gone.restore(alerts.all());
    }

    /** Returns whether a state is being loaded. */
    public boolean isLoading() {
        return loading;
    }

    /** Ends loading: reports the alerts that the present state opens and closes. Does nothing otherwise. */
    public void settle() {
        if (!loading) {
            return;
        }
        loading = false;
        endTick(tickAt(now));
        prefixes.settle(now);
        gone.evaluate(now);
        tables.settle(now);
    }

    /** Applies a record of {@code bmp.routes}. */
    public void apply(RouteBatch batch) {
        if (batch.redecoded() || !feeds.isNewest(batch) && !batch.router().isEmpty()) {
            return; // describes the past
        }
        moveTo(batch.receivedAtMicros());
        processedTime = batch.receivedAtMicros();
        processTickBefore(batch);
        BatchAttributes attributes = new BatchAttributes(batch);
        BitSet mentioned = new BitSet();
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            EventKind kind = cursor.kind();
            if (kind == EventKind.COLLECTOR_START) {
                feeds.collectorStarted(batch).forEach(this::evaluateRouter);
                continue;
            }
            if (cursor.startsGroup()) { // the others of the group are of the same kind and peer
                observe(batch, cursor, mentioned);
            }
            switch (kind) {
                case ANNOUNCE, WITHDRAW -> {
                    if (countsTables) {
                        tables.route(batch, cursor, beginning());
                    }
                    prefixes.route(batch, cursor, attributes, processedTime);
                }
                case PEER_UP -> peerUp(batch, batch.peer(cursor.peerIndex()), cursor);
                case PEER_DOWN -> peerDown(batch, batch.peer(cursor.peerIndex()), cursor);
                case END_OF_RIB -> {
                    tables.endOfRib(batch, batch.peer(cursor.peerIndex()), cursor, beginning());
                    prefixes.endOfRib(batch, cursor, processedTime);
                }
                default -> {}
            }
        }
        processedTime = now;
    }

    /**
     * Processes the tick before a batch for its router, if that has not happened yet, and for its tables if changes of
     * them have been read late. So what is evaluated at a tick does not depend on when other routers are read.
     */
    private void processTickBefore(RouteBatch batch) {
        long tick = tickAt(batch.receivedAtMicros());
        boolean isFirstAfterTick = tick > lastTick && routersAfterTick.add(batch.router());
        if (!loading && isFirstAfterTick) {
            gone.evaluateRouter(batch.router(), tick);
        }
        if (!loading && (isFirstAfterTick || lateBatches)) {
            tables.evaluate(batch.router(), tick);
        }
        lateBatches |= tick < lastTick;
    }

    /**
     * Takes over what an event reports about its session and peer.
     *
     * @param mentioned the peers that earlier events of the batch have reported to be up
     */
    private void observe(RouteBatch batch, RouteCursor cursor, BitSet mentioned) {
        EventKind kind = cursor.kind();
        if (feeds.observe(batch, kind)) {
            evaluateRouter(batch.router());
        }
        int peer = cursor.peerIndex();
        if ((kind == EventKind.PEER_UP || kind == EventKind.ANNOUNCE) && !mentioned.get(peer)) {
            mentioned.set(peer);
            peerMentioned(batch, batch.peer(peer));
        } else if (kind == EventKind.PEER_DOWN) {
            mentioned.clear(peer);
        }
    }

    /** Applies a number of routes of a record of {@code bmp.stats}. */
    public void report(ReportedSize report) {
        tables.report(report);
    }

    /**
     * Moves the time forward, in microseconds since 1970, as if records had arrived all the time. Reports what becomes
     * due until then: repeated notifications, the ends of alerts whose routes have expired, and absent routers
     * and peers.
     */
    public void passTo(long time) {
        long last = tickAt(time - GRACE_MICROS);
        if (!loading && lastTick < last) {
            for (long tick = nextTick(); tick <= last; tick = nextTick()) {
                process(tick);
            }
        }
        moveTo(time);
    }

    /**
     * Moves the time forward over a span in which nothing was evaluated, as between two runs of a station. Reports once
     * what has become due.
     */
    public void skipTo(long time) {
        moveTo(time);
    }

    /**
     * Uses other VRPs, and reports what that opens and closes. Only the routes are validated again that are covered by
     * a VRP which one of the two tables does not have.
     *
     * @return the number of these routes
     */
    public int useVrps(VrpTable next) {
        return prefixes.useVrps(next, processedTime);
    }

    /** Uses other ASPAs, verifies the paths of all routes again, and reports what that opens and closes. */
    public void useAspas(AspaTable next) {
        prefixes.useAspas(next, processedTime);
    }

    /** Moves the time forward. What has become due during a silence is reported once, at its end. */
    private void moveTo(long time) {
        long tick = tickAt(time - GRACE_MICROS);
        if (!loading && lastTick < tick) {
            if (nextTick() <= tick) {
                process(tick);
            }
            endTick(tick);
        }
        moveClock(Math.max(now, time));
    }

    private void process(long tick) {
        endTick(tick);
        prefixes.expire(tick);
        gone.evaluate(tick);
        tables.evaluate(tick);
        alerts.repeat(tick);
    }

    private void endTick(long tick) {
        lastTick = tick;
        lateBatches = false;
        routersAfterTick.clear();
    }

    private static long tickAt(long time) {
        return time / TICK_MICROS * TICK_MICROS;
    }

    /** Returns the first tick after a time. */
    static long tickAfter(long time) {
        return tickAt(time) + TICK_MICROS;
    }

    private void moveClock(long time) {
        now = time;
        processedTime = time;
    }

    /** Returns the first tick at which something is due, {@link Long#MAX_VALUE} if nothing is. */
    private long nextTick() {
        long due = Math.min(
                Math.min(alerts.nextRepetition(), prefixes.nextDue()), Math.min(gone.nextDue(), tables.nextDue()));
        return due == Long.MAX_VALUE
                ? due
                : Math.max(lastTick + TICK_MICROS, Math.ceilDiv(due, TICK_MICROS) * TICK_MICROS);
    }

    private void peerMentioned(RouteBatch batch, PeerEntry peer) {
        if (rules.monitorsRouters() && TrackedPrefixes.isEvaluated(peer) && peer.view() != RibView.LOC_RIB) {
            VantagePoint vantagePoint = RouteSource.vantagePoint(batch.router(), peer);
            if (gone.up(vantagePoint, batch.sessionId())) {
                evaluateGone(new AlertSubject.OfPeer(vantagePoint));
            }
        }
    }

    private void evaluateGone(AlertSubject subject) {
        if (!loading) {
            gone.evaluate(subject, processedTime);
        }
    }

    private void peerUp(RouteBatch batch, PeerEntry peer, RouteCursor cursor) {
        tables.peerUp(batch, peer, cursor, beginning());
        prefixes.peerUp(batch, peer, processedTime);
    }

    private void peerDown(RouteBatch batch, PeerEntry peer, RouteCursor cursor) {
        boolean allViews = cursor.coversAllViews();
        tables.peerDown(batch, peer, cursor, processedTime);
        if (rules.monitorsRouters() && (allViews || TrackedPrefixes.isEvaluated(peer))) {
            VantagePoint vantagePoint = RouteSource.vantagePoint(batch.router(), peer);
            gone.down(vantagePoint, batch, cursor.sequence());
            evaluateGone(new AlertSubject.OfPeer(vantagePoint));
        }
        prefixes.peerDown(batch, peer, allViews, processedTime);
    }

    /** Returns when a table that an event mentions has begun; it is unknown while the current state is loaded. */
    private long beginning() {
        return loading ? 0 : processedTime;
    }

    private void evaluateRouter(String router) {
        tables.routerChanged(router, processedTime);
        if (!loading) {
            gone.evaluateRouter(router, processedTime);
        }
        prefixes.evaluateRouter(router, processedTime);
    }
}
