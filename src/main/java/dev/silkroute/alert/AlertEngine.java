package dev.silkroute.alert;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.path.ReceivedPath;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Validity;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates rules on the records of {@code bmp.routes}. It keeps the routes of monitored prefixes, of their more
 * specific prefixes, and of monitored ASes; all other routes cost one lookup.
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
    private static final int VRF = 1;
    /** Repetitions and expiries are processed at the next multiple of this time, whichever records arrive. */
    private static final long TICK_MICROS = 10_000_000;

    private final AlertRules rules;
    private final AlertSettings settings;
    private final ConditionFinder finder;
    private final boolean monitorsDownstreams;
    private final boolean countsTables;
    private final OpenAlerts alerts;
    private final GoneFinder gone;
    private final FeedStates feeds;
    private final TableSizes tables;
    private final TreeMap<IpPrefix, TrackedPrefix> prefixes = new TreeMap<>(IpPrefix.ORDER);

    private VrpTable vrps = VrpTable.EMPTY;
    private AspaTable aspas = AspaTable.EMPTY;
    private int routes;
    private long omitted;
    private boolean loading;
    private long now;
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
        this.settings = settings;
        finder = new ConditionFinder(rules);
        monitorsDownstreams = rules.monitorsDownstreams();
        countsTables = rules.monitorsTables();
        feeds = new FeedStates(repeatsMissing);
        alerts = new OpenAlerts(settings, output);
        gone = new GoneFinder(rules, settings, feeds, alerts);
        tables = new TableSizes(rules, settings, feeds, alerts, repeatsMissing);
    }

    /** Returns the number of open alerts. */
    public int openAlerts() {
        return alerts.size();
    }

    /** Returns the number of tracked routes and losses. */
    public int routes() {
        return routes;
    }

    /** Returns how many announcements were not evaluated or counted because of a bound. */
    public long omitted() {
        return omitted + tables.omitted();
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
        prefixes.clear();
        feeds.clear();
        tables.clear();
        routes = 0;
        loading = true;
        for (Alert alert : alerts.all()) {
            if (alert.rule() == AlertRule.VISIBILITY_LOSS
                    && alert.subject() instanceof AlertSubject.OfPrefix(IpPrefix prefix)) {
                // A state contains no withdrawals: whether these are still losses shows when the tables are complete.
                TrackedPrefix tracked = tracked(prefix, entry(prefix));
                for (Evidence row : alert.evidence()) {
                    tracked.losses()
                            .put(row.vantagePoint(), TrackedRoute.loss(row).unconfirmed());
                    routes++;
                }
            }
        }
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
        for (Alert alert : alerts.all()) {
            if (alert.subject() instanceof AlertSubject.OfPrefix(IpPrefix prefix)) {
                tracked(prefix, entry(prefix));
            }
        }
        List.copyOf(prefixes.values()).forEach(this::evaluate);
        gone.evaluate(now);
        tables.settle();
        tables.evaluate(now);
    }

    /** Applies a record of {@code bmp.routes}. */
    public void apply(RouteBatch batch) {
        if (batch.redecoded() || !feeds.isNewest(batch) && !batch.router().isEmpty()) {
            return; // describes the past
        }
        moveTo(batch.receivedAtMicros());
        processedTime = batch.receivedAtMicros();
        Attributes attributes = new Attributes(batch);
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
                    route(batch, cursor, attributes);
                }
                case PEER_UP -> peerUp(batch, batch.peer(cursor.peerIndex()), cursor);
                case PEER_DOWN -> peerDown(batch, batch.peer(cursor.peerIndex()), cursor);
                case END_OF_RIB -> endOfRib(batch, cursor);
                default -> {}
            }
        }
        processedTime = now;
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
        if (!loading && now / TICK_MICROS < time / TICK_MICROS) {
            for (long tick = nextTick(); tick <= time; tick = nextTick()) {
                moveTo(tick);
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
        VrpTable before = vrps;
        vrps = next;
        if (prefixes.isEmpty()) {
            return 0;
        }
        TreeMap<IpPrefix, TrackedPrefix> covered = new TreeMap<>(IpPrefix.ORDER);
        addCovered(before.minus(next), covered);
        addCovered(next.minus(before), covered);
        return covered.values().stream().mapToInt(this::revalidate).sum();
    }

    /** Uses other ASPAs, verifies the paths of all routes again, and reports what that opens and closes. */
    public void useAspas(AspaTable next) {
        if (next != aspas) {
            aspas = next;
            List.copyOf(prefixes.values()).forEach(this::revalidate);
        }
    }

    private void addCovered(List<Vrp> changed, Map<IpPrefix, TrackedPrefix> covered) {
        for (Vrp vrp : changed) {
            // Prefixes that it covers follow it, and each other, in the order of the map
            for (TrackedPrefix tracked : prefixes.tailMap(vrp.prefix()).values()) {
                if (!vrp.prefix().covers(tracked.prefix())) {
                    break;
                }
                covered.put(tracked.prefix(), tracked);
            }
        }
    }

    /** Validates the routes of a prefix again, and returns their number. */
    private int revalidate(TrackedPrefix tracked) {
        boolean changed = false;
        for (Map.Entry<RouteSource, TrackedRoute> entry : tracked.routes().entrySet()) {
            TrackedRoute route = entry.getValue();
            boolean invalid = isInvalid(tracked.prefix(), route.validatedOrigin());
            boolean pathInvalid = isPathInvalid(route.acceptedPath());
            if (invalid != route.invalid() || pathInvalid != route.pathInvalid()) {
                entry.setValue(route.with(invalid, pathInvalid));
                changed = true;
            }
        }
        int validated = tracked.routes().size();
        if (changed) {
            evaluate(tracked);
        }
        return validated;
    }

    /** Moves the time forward. What has become due during a silence is reported once, at its end. */
    private void moveTo(long time) {
        long tick = time / TICK_MICROS * TICK_MICROS;
        if (!loading && now < tick && nextTick() <= tick) {
            moveClock(tick);
            expire();
            gone.evaluate(now);
            tables.evaluate(now);
            alerts.repeat(now);
        }
        moveClock(Math.max(now, time));
    }

    private void moveClock(long time) {
        now = time;
        processedTime = time;
    }

    /** Returns the first tick at which something is due, {@link Long#MAX_VALUE} if nothing is. */
    private long nextTick() {
        long due = Math.min(Math.min(alerts.nextRepetition(), gone.nextDue()), tables.nextDue());
        for (TrackedPrefix tracked : prefixes.values()) {
            due = Math.min(due, nextExpiry(tracked.routes().values()));
            due = Math.min(due, nextExpiry(tracked.losses().values()));
        }
        return due == Long.MAX_VALUE
                ? due
                : Math.max(now / TICK_MICROS + 1, Math.ceilDiv(due, TICK_MICROS)) * TICK_MICROS;
    }

    private long nextExpiry(Collection<TrackedRoute> of) {
        long due = Long.MAX_VALUE;
        for (TrackedRoute route : of) {
            OptionalLong since = feeds.downSince(route);
            if (since.isPresent()) {
                due = Math.min(due, since.getAsLong() + settings.staleMicros() + 1);
            }
        }
        return due;
    }

    private void route(RouteBatch batch, RouteCursor cursor, Attributes attributes) {
        int family = cursor.family();
        if (family != Family.IPV4_UNICAST && family != Family.IPV6_UNICAST) {
            return;
        }
        NlriReader nlri = cursor.nlri();
        MonitoredPrefix entry = rules.find(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
        if (entry == null && !rules.monitorsAnyAs() && !rules.findsLeaks()) {
            return;
        }
        PeerEntry peer = batch.peer(cursor.peerIndex());
        if (!isEvaluated(peer) || entry != null && isIgnored(entry, nlri.prefixLength())) {
            return;
        }
        boolean relevant = cursor.kind() == EventKind.ANNOUNCE
                && (entry != null
                        || attributes.hasMonitoredOrigin(cursor.attributeSet(), peer)
                        || monitorsDownstreams && finder.hasNewDownstream(attributes.path(cursor.attributeSet()))
                        || rules.findsLeaks()
                                && finder.isLeak(
                                        attributes.path(cursor.attributeSet()),
                                        attributes.onlyToCustomer(cursor.attributeSet()),
                                        Integer.toUnsignedLong(peer.asn())));
        if (!relevant && entry == null && prefixes.isEmpty()) {
            return;
        }
        IpPrefix prefix = new IpPrefix(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
        long pathId = nlri.hasPathId() ? Integer.toUnsignedLong(nlri.pathId()) : RouteSource.NO_PATH_ID;
        RouteSource source = new RouteSource(batch.router(), peer, pathId);
        if (relevant) {
            announce(batch, cursor, prefix, entry, source, attributes);
        } else {
            TrackedPrefix tracked = prefixes.get(prefix);
            boolean expires = cursor.synthetic() && !feeds.isUp(batch.router()); // as passTo reports
            if (tracked != null && tracked.routes().containsKey(source) && !expires) {
                lose(
                        tracked,
                        source,
                        evidence(batch, cursor, prefix, peer, tracked.routes().get(source)));
                evaluate(tracked);
            }
        }
    }

    private static boolean isEvaluated(PeerEntry peer) {
        return peer.peerType() != VRF
                && peer.view() != RibView.ADJ_RIB_OUT_PRE_POLICY
                && peer.view() != RibView.ADJ_RIB_OUT_POST_POLICY;
    }

    private static boolean isIgnored(MonitoredPrefix entry, int length) {
        return length == entry.prefix().length() ? entry.ignore() : entry.ignoreMoreSpecifics();
    }

    private void announce(
            RouteBatch batch,
            RouteCursor cursor,
            IpPrefix prefix,
            @Nullable MonitoredPrefix entry,
            RouteSource source,
            Attributes attributes) {
        TrackedPrefix tracked = prefixes.get(prefix);
        TrackedRoute known = tracked == null ? null : tracked.routes().get(source);
        boolean isNew = known == null;
        if (isNew && routes >= settings.maxRoutes()) {
            omitted++;
            return;
        }
        TrackedPrefix of = tracked == null ? tracked(prefix, entry) : tracked;
        String path = attributes.path(cursor.attributeSet());
        List<Long> origins = attributes.origins(cursor.attributeSet(), source.peer());
        OptionalLong validated = attributes.validatedOrigin(cursor.attributeSet(), source.peer());
        boolean invalid = isInvalid(prefix, validated);
        int set = cursor.attributeSet();
        Optional<ReceivedPath> acceptedPath = acceptedPath(batch, cursor.peerIndex(), attributes.asPath(set));
        Optional<UUID> hash = Optional.of(new UUID(batch.hashHigh(set), batch.hashLow(set)));
        Evidence evidence = new Evidence(
                vantagePoint(batch.router(), source.peer()),
                source.peer().view().text(),
                prefix,
                Evidence.ANNOUNCE,
                path,
                batch.sessionId(),
                cursor.sequence(),
                batch.receivedAtMicros());
        if (known != null
                && cursor.isTableDump()
                && known.attributeHash().equals(hash)
                && known.evidence().sequence() > 0) {
            // The history does not contain what a table dump repeats. The current state has no sequence.
            evidence = known.evidence();
        }
        of.routes()
                .put(
                        source,
                        new TrackedRoute(
                                evidence,
                                batch.sessionId(),
                                origins,
                                validated,
                                invalid,
                                acceptedPath,
                                isPathInvalid(acceptedPath),
                                attributes.onlyToCustomer(set),
                                hash));
        routes += isNew ? 1 : 0;
        if (of.losses().remove(evidence.vantagePoint()) != null) {
            routes--;
        }
        evaluate(of);
    }

    private boolean isInvalid(IpPrefix prefix, OptionalLong origin) {
        return vrps.validity(prefix, origin).orElse(Validity.NOT_FOUND) == Validity.INVALID;
    }

    private boolean isPathInvalid(Optional<ReceivedPath> path) {
        return aspas.size() > 0 && path.isPresent() && path.get().isInvalid(aspas);
    }

    /** Returns the path of a route that the policy has accepted from a neighbor; empty if its role is unknown. */
    private Optional<ReceivedPath> acceptedPath(RouteBatch batch, int peerIndex, AsPath path) {
        PeerEntry peer = batch.peer(peerIndex);
        if (peer.view() != RibView.ADJ_RIB_IN_POST_POLICY) {
            return Optional.empty();
        }
        return batch.neighborRole(peerIndex)
                .or(() -> Optional.ofNullable(rules.role(Integer.toUnsignedLong(peer.asn()))))
                .map(role -> new ReceivedPath(role, peer.asn(), path));
    }

    private static Evidence evidence(
            RouteBatch batch, RouteCursor cursor, IpPrefix prefix, PeerEntry peer, @Nullable TrackedRoute last) {
        return new Evidence(
                vantagePoint(batch.router(), peer),
                peer.view().text(),
                prefix,
                cursor.kind() == EventKind.END_OF_RIB || cursor.synthetic() ? Evidence.END_OF_RIB : Evidence.WITHDRAW,
                last == null ? "" : last.evidence().asPath(),
                batch.sessionId(),
                cursor.sequence(),
                batch.receivedAtMicros());
    }

    private static VantagePoint vantagePoint(String router, PeerEntry peer) {
        return new VantagePoint(
                router,
                Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                Integer.toUnsignedLong(peer.asn()));
    }

    /** Removes a route; it is a loss if the vantage point has no other one. */
    private void lose(TrackedPrefix tracked, RouteSource source, Evidence evidence) {
        tracked.routes().remove(source);
        routes--;
        if (tracked.isListed() && !tracked.isVisibleTo(evidence.vantagePoint())) {
            if (tracked.losses().put(evidence.vantagePoint(), TrackedRoute.loss(evidence)) == null) {
                routes++;
            }
        }
    }

    private void peerMentioned(RouteBatch batch, PeerEntry peer) {
        if (rules.monitorsRouters() && isEvaluated(peer) && peer.view() != RibView.LOC_RIB) {
            VantagePoint vantagePoint = vantagePoint(batch.router(), peer);
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

    /** Makes the earlier routes of a peer stale until it has announced them again, or its table is complete. */
    private void peerUp(RouteBatch batch, PeerEntry peer, RouteCursor cursor) {
        tables.peerUp(batch, peer, cursor, beginning());
        forTracked(batch.router(), tracked -> {
            boolean changed = false;
            for (Map.Entry<RouteSource, TrackedRoute> route : tracked.routes().entrySet()) {
                if (route.getKey().isOf(batch.router(), peer, false)) {
                    route.setValue(route.getValue().unconfirmed());
                    changed = true;
                }
            }
            return changed;
        });
    }

    /** The routes of a peer that is down have ended, and its losses do not count until its table is complete again. */
    private void peerDown(RouteBatch batch, PeerEntry peer, RouteCursor cursor) {
        boolean allViews = cursor.coversAllViews();
        tables.peerDown(batch, peer, cursor, processedTime);
        VantagePoint vantagePoint = vantagePoint(batch.router(), peer);
        if (rules.monitorsRouters() && (allViews || isEvaluated(peer))) {
            gone.down(vantagePoint, batch, cursor.sequence());
            evaluateGone(new AlertSubject.OfPeer(vantagePoint));
        }
        forTracked(batch.router(), tracked -> {
            int before = tracked.routes().size();
            tracked.routes().keySet().removeIf(source -> source.isOf(batch.router(), peer, allViews));
            int removed = before - tracked.routes().size();
            routes -= removed;
            TrackedRoute loss = tracked.losses().computeIfPresent(vantagePoint, (of, known) -> known.unconfirmed());
            return removed > 0 || loss != null;
        });
    }

    /** Counts the routes as lost that a complete table does not contain. */
    private void endOfRib(RouteBatch batch, RouteCursor cursor) {
        PeerEntry peer = batch.peer(cursor.peerIndex());
        boolean allTables = cursor.coversAllViews();
        tables.endOfRib(batch, peer, cursor, beginning());
        if (!isEvaluated(peer) && !allTables) {
            return;
        }
        VantagePoint vantagePoint = vantagePoint(batch.router(), peer);
        forTracked(batch.router(), tracked -> {
            int family = tracked.prefix().ipv6() ? Family.IPV6_UNICAST : Family.IPV4_UNICAST;
            if (!allTables && cursor.family() != family) {
                return false;
            }
            boolean changed = false;
            for (Map.Entry<RouteSource, TrackedRoute> route :
                    List.copyOf(tracked.routes().entrySet())) {
                if (route.getKey().isOf(batch.router(), peer, allTables) && !feeds.isCurrent(route.getValue())) {
                    PeerEntry of = route.getKey().peer();
                    lose(tracked, route.getKey(), evidence(batch, cursor, tracked.prefix(), of, route.getValue()));
                    changed = true;
                }
            }
            TrackedRoute loss = tracked.losses()
                    .computeIfPresent(vantagePoint, (of, known) -> known.confirmedBy(batch.sessionId()));
            return changed || loss != null;
        });
    }

    private void forTracked(String router, Predicate<TrackedPrefix> change) {
        for (TrackedPrefix tracked : List.copyOf(prefixes.values())) {
            if (change.test(tracked)) {
                evaluate(tracked);
            }
        }
    }

    /** Returns when a table that an event mentions has begun; it is unknown while the current state is loaded. */
    private long beginning() {
        return loading ? 0 : processedTime;
    }

    private void evaluateRouter(String router) {
        tables.routerChanged(router);
        if (!loading) {
            gone.evaluateRouter(router, processedTime);
        }
        forTracked(
                router,
                tracked -> tracked.routes().keySet().stream()
                                .anyMatch(source -> source.router().equals(router))
                        || tracked.losses().keySet().stream()
                                .anyMatch(lost -> lost.router().equals(router)));
    }

    /** Removes the routes and losses of routers that have been disconnected for too long. */
    private void expire() {
        long before = now - settings.staleMicros();
        Predicate<TrackedRoute> expired = route -> {
            OptionalLong since = feeds.downSince(route);
            return since.isPresent() && since.getAsLong() < before;
        };
        for (TrackedPrefix tracked : List.copyOf(prefixes.values())) {
            int size = tracked.size();
            tracked.routes().values().removeIf(expired);
            tracked.losses().values().removeIf(expired);
            if (tracked.size() < size) {
                routes -= size - tracked.size();
                evaluate(tracked);
            }
        }
    }

    private TrackedPrefix tracked(IpPrefix prefix, @Nullable MonitoredPrefix entry) {
        return prefixes.computeIfAbsent(prefix, key -> new TrackedPrefix(key, entry));
    }

    private @Nullable MonitoredPrefix entry(IpPrefix prefix) {
        return rules.find(prefix.ipv6(), prefix.high(), prefix.low(), prefix.length());
    }

    private void evaluate(TrackedPrefix tracked) {
        if (loading) {
            return;
        }
        alerts.update(
                tracked.subject(),
                AlertScope.of(tracked.entry()),
                finder.find(tracked, feeds::isCurrent),
                processedTime);
        if (tracked.size() == 0) {
            prefixes.remove(tracked.prefix());
        }
    }

    /** The attributes of a batch that rules are about, decoded when they are used. */
    private final class Attributes {
        private final RouteBatch batch;
        private final @Nullable AsPath[] paths;
        private final OptionalLong[] onlyToCustomers;

        Attributes(RouteBatch batch) {
            this.batch = batch;
            paths = new AsPath[batch.attributeSetCount()];
            onlyToCustomers = new OptionalLong[batch.attributeSetCount()];
        }

        private AsPath asPath(int set) {
            AsPath path = paths[set];
            if (path == null) {
                onlyToCustomers[set] = OptionalLong.empty();
                try {
                    PathAttributes attributes =
                            PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
                    path = attributes.asPath();
                    onlyToCustomers[set] = attributes.onlyToCustomer();
                } catch (DecodeException e) {
                    path = null; // as in the other consumers, a set that cannot be decoded has no values
                }
                path = path == null ? AsPath.EMPTY : path;
                paths[set] = path;
            }
            return path;
        }

        OptionalLong onlyToCustomer(int set) {
            asPath(set);
            return onlyToCustomers[set];
        }

        String path(int set) {
            return asPath(set).text();
        }

        OptionalLong validatedOrigin(int set, PeerEntry peer) {
            return AsPath.validatedOrigin(asPath(set), peer.asn());
        }

        List<Long> origins(int set, PeerEntry peer) {
            List<AsPath.Segment> segments = asPath(set).segments();
            for (int i = segments.size() - 1; i >= 0; i--) {
                AsPath.Segment segment = segments.get(i);
                if (segment.type() == AsPath.SegmentType.SET && !segment.asns().isEmpty()) {
                    return segment.asns();
                }
                if (segment.type() == AsPath.SegmentType.SEQUENCE
                        && !segment.asns().isEmpty()) {
                    return List.of(segment.asns().getLast());
                }
            }
            return List.of(Integer.toUnsignedLong(peer.asn()));
        }

        boolean hasMonitoredOrigin(int set, PeerEntry peer) {
            return origins(set, peer).stream().anyMatch(asn -> rules.monitoredAs(asn) != null);
        }
    }
}
