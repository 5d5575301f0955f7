package dev.silkroute.alert;

import dev.silkroute.alert.path.BatchAttributes;
import dev.silkroute.alert.path.ReceivedPath;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.nlri.NlriReader;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps and evaluates the routes of monitored prefixes, of their more specific prefixes, and of monitored ASes, and the
 * vantage points that have lost them. All other routes cost one lookup. Not thread-safe.
 *
 * <p>The parameter {@code at} is the time that changes of alerts get.
 */
final class TrackedPrefixes {
    private final AlertRules rules;
    private final AlertSettings settings;
    private final ConditionFinder finder;
    private final boolean monitorsDownstreams;
    private final FeedStates feeds;
    private final OpenAlerts alerts;
    private final BooleanSupplier loading;
    private final TreeMap<IpPrefix, TrackedPrefix> prefixes = new TreeMap<>(IpPrefix.ORDER);

    private VrpTable vrps = VrpTable.EMPTY;
    private AspaTable aspas = AspaTable.EMPTY;
    private int routes;
    private long omitted;

    /** @param loading whether a state is being loaded: nothing is evaluated then */
    TrackedPrefixes(
            AlertRules rules, AlertSettings settings, FeedStates feeds, OpenAlerts alerts, BooleanSupplier loading) {
        this.rules = rules;
        this.settings = settings;
        this.feeds = feeds;
        this.alerts = alerts;
        this.loading = loading;
        finder = new ConditionFinder(rules);
        monitorsDownstreams = rules.monitorsDownstreams();
    }

    /** Returns the number of routes and losses. */
    int routes() {
        return routes;
    }

    /** Returns how many announcements were not evaluated because of a bound. */
    long omitted() {
        return omitted;
    }

    /** Removes all routes, and restores the losses of open alerts. */
    void load() {
        prefixes.clear();
        routes = 0;
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
    }

    /** Evaluates all prefixes, those of open alerts included. */
    void settle(long at) {
        for (Alert alert : alerts.all()) {
            if (alert.subject() instanceof AlertSubject.OfPrefix(IpPrefix prefix)) {
                tracked(prefix, entry(prefix));
            }
        }
        List.copyOf(prefixes.values()).forEach(tracked -> evaluate(tracked, at));
    }

    /** Uses other VRPs and returns the number of routes that were validated again, see {@link AlertEngine#useVrps}. */
    int useVrps(VrpTable next, long at) {
        VrpTable before = vrps;
        vrps = next;
        if (prefixes.isEmpty()) {
            return 0;
        }
        TreeMap<IpPrefix, TrackedPrefix> covered = new TreeMap<>(IpPrefix.ORDER);
        addCovered(before.minus(next), covered);
        addCovered(next.minus(before), covered);
        return covered.values().stream()
                .mapToInt(tracked -> revalidate(tracked, at))
                .sum();
    }

    /** Uses other ASPAs and verifies the paths of all routes again. */
    void useAspas(AspaTable next, long at) {
        if (next != aspas) {
            aspas = next;
            List.copyOf(prefixes.values()).forEach(tracked -> revalidate(tracked, at));
        }
    }

    /** Returns when the next route or loss expires, {@link Long#MAX_VALUE} if none does. */
    long nextDue() {
        long due = Long.MAX_VALUE;
        for (TrackedPrefix tracked : prefixes.values()) {
            due = Math.min(due, nextExpiry(tracked.routes().values()));
            due = Math.min(due, nextExpiry(tracked.losses().values()));
        }
        return due;
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

    /** Applies an announcement or a withdrawal. */
    void route(RouteBatch batch, RouteCursor cursor, BatchAttributes attributes, long at) {
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
                        || hasMonitoredOrigin(attributes.origins(cursor.attributeSet(), peer))
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
            announce(batch, cursor, prefix, entry, source, attributes, at);
        } else {
            TrackedPrefix tracked = prefixes.get(prefix);
            boolean expires = cursor.synthetic() && !feeds.isUp(batch.router()); // as passTo reports
            if (tracked != null && tracked.routes().containsKey(source) && !expires) {
                lose(
                        tracked,
                        source,
                        evidence(batch, cursor, prefix, peer, tracked.routes().get(source)));
                evaluate(tracked, at);
            }
        }
    }

    /** Returns whether the unicast routes of a peer's view count: those of VRFs and what a router sends do not. */
    static boolean isEvaluated(PeerEntry peer) {
        return !peer.isOfVrf()
                && peer.view() != RibView.ADJ_RIB_OUT_PRE_POLICY
                && peer.view() != RibView.ADJ_RIB_OUT_POST_POLICY;
    }

    private static boolean isIgnored(MonitoredPrefix entry, int length) {
        return length == entry.prefix().length() ? entry.ignore() : entry.ignoreMoreSpecifics();
    }

    private boolean hasMonitoredOrigin(List<Long> origins) {
        return origins.stream().anyMatch(asn -> rules.monitoredAs(asn) != null);
    }

    private void announce(
            RouteBatch batch,
            RouteCursor cursor,
            IpPrefix prefix,
            @Nullable MonitoredPrefix entry,
            RouteSource source,
            BatchAttributes attributes,
            long at) {
        TrackedPrefix tracked = prefixes.get(prefix);
        TrackedRoute known = tracked == null ? null : tracked.routes().get(source);
        boolean isNew = known == null;
        if (isNew && routes >= settings.maxRoutes()) {
            omitted++;
            return;
        }
        TrackedPrefix of = tracked == null ? tracked(prefix, entry) : tracked;
        int set = cursor.attributeSet();
        OptionalLong validated = attributes.validatedOrigin(set, source.peer());
        Optional<ReceivedPath> acceptedPath = acceptedPath(batch, cursor.peerIndex(), attributes.asPath(set));
        Optional<UUID> hash = Optional.of(new UUID(batch.hashHigh(set), batch.hashLow(set)));
        Evidence evidence = new Evidence(
                source.vantagePoint(),
                source.peer().view().text(),
                prefix,
                Evidence.ANNOUNCE,
                attributes.path(set),
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
                                attributes.origins(set, source.peer()),
                                validated,
                                isInvalid(prefix, validated),
                                acceptedPath,
                                isPathInvalid(acceptedPath),
                                attributes.onlyToCustomer(set),
                                hash));
        routes += isNew ? 1 : 0;
        if (of.losses().remove(evidence.vantagePoint()) != null) {
            routes--;
        }
        evaluate(of, at);
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
                RouteSource.vantagePoint(batch.router(), peer),
                peer.view().text(),
                prefix,
                cursor.kind() == EventKind.END_OF_RIB || cursor.synthetic() ? Evidence.END_OF_RIB : Evidence.WITHDRAW,
                last == null ? "" : last.evidence().asPath(),
                batch.sessionId(),
                cursor.sequence(),
                batch.receivedAtMicros());
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

    /** Makes the earlier routes of a peer stale until it has announced them again, or its table is complete. */
    void peerUp(RouteBatch batch, PeerEntry peer, long at) {
        evaluateChanged(at, tracked -> {
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
    void peerDown(RouteBatch batch, PeerEntry peer, boolean allViews, long at) {
        VantagePoint vantagePoint = RouteSource.vantagePoint(batch.router(), peer);
        evaluateChanged(at, tracked -> {
            int before = tracked.routes().size();
            tracked.routes().keySet().removeIf(source -> source.isOf(batch.router(), peer, allViews));
            int removed = before - tracked.routes().size();
            routes -= removed;
            TrackedRoute loss = tracked.losses().computeIfPresent(vantagePoint, (of, known) -> known.unconfirmed());
            return removed > 0 || loss != null;
        });
    }

    /** Counts the routes as lost that a complete table does not contain. */
    void endOfRib(RouteBatch batch, RouteCursor cursor, long at) {
        PeerEntry peer = batch.peer(cursor.peerIndex());
        boolean allTables = cursor.coversAllViews();
        if (!isEvaluated(peer) && !allTables) {
            return;
        }
        VantagePoint vantagePoint = RouteSource.vantagePoint(batch.router(), peer);
        evaluateChanged(at, tracked -> {
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

    /** Evaluates the prefixes that a router has or has lost. */
    void evaluateRouter(String router, long at) {
        evaluateChanged(
                at,
                tracked -> tracked.routes().keySet().stream()
                                .anyMatch(source -> source.router().equals(router))
                        || tracked.losses().keySet().stream()
                                .anyMatch(lost -> lost.router().equals(router)));
    }

    /** Removes the routes and losses of routers that have been disconnected for too long. */
    void expire(long now) {
        long before = now - settings.staleMicros();
        Predicate<TrackedRoute> expired = route -> {
            OptionalLong since = feeds.downSince(route);
            return since.isPresent() && since.getAsLong() < before;
        };
        evaluateChanged(now, tracked -> {
            int size = tracked.size();
            tracked.routes().values().removeIf(expired);
            tracked.losses().values().removeIf(expired);
            routes -= size - tracked.size();
            return tracked.size() < size;
        });
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
    private int revalidate(TrackedPrefix tracked, long at) {
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
            evaluate(tracked, at);
        }
        return validated;
    }

    /** Evaluates the prefixes that are changed. */
    private void evaluateChanged(long at, Predicate<TrackedPrefix> change) {
        for (TrackedPrefix tracked : List.copyOf(prefixes.values())) {
            if (change.test(tracked)) {
                evaluate(tracked, at);
            }
        }
    }

    private TrackedPrefix tracked(IpPrefix prefix, @Nullable MonitoredPrefix entry) {
        return prefixes.computeIfAbsent(prefix, key -> new TrackedPrefix(key, entry));
    }

    private @Nullable MonitoredPrefix entry(IpPrefix prefix) {
        return rules.find(prefix.ipv6(), prefix.high(), prefix.low(), prefix.length());
    }

    private void evaluate(TrackedPrefix tracked, long at) {
        if (loading.getAsBoolean()) {
            return;
        }
        alerts.update(tracked.subject(), AlertScope.of(tracked.entry()), finder.find(tracked, feeds::isCurrent), at);
        if (tracked.size() == 0) {
            prefixes.remove(tracked.prefix());
        }
    }
}
