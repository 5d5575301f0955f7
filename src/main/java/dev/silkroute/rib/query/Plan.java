package dev.silkroute.rib.query;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.AttributeValue;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibScans;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.RouteCandidates;
import dev.silkroute.rib.RouteScan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a query is answered. A counter comes first, then the prefixes that the query names. Otherwise what costs
 * least by the number of routes to be tested: the candidates of the index of attributes, the tries in their order, or
 * the tables that the conditions leave. Conditions that the access path does not cover are tested route by route.
 */
final class Plan {
    /** Selects every route. */
    static final RoutePredicate TRUE = new RoutePredicate.Every(List.of());

    /** The cost of a block of candidates, which are anywhere in memory, in routes visited one after the other. */
    private static final long COST_OF_BLOCK = 6;

    /** The number of routes that meet a query, in blocks of candidates: an estimate. */
    private static final double FOUND_PER_BLOCK = 1.5;

    private enum Access {
        PREFIX,
        INDEX,
        TRIES,
        TABLES
    }

    private final Rib rib;
    private final RibScans scans;
    final RoutePredicate predicate;
    final boolean sorted;
    private final @Nullable OfPrefix prefix;
    private final @Nullable RouteCandidates candidates;
    private final Access access;

    /** @param needed the number of routes after which the query ends, skipped ones included */
    Plan(Rib rib, RoutePredicate predicate, boolean sorted, long needed) {
        this.rib = rib;
        this.scans = rib.scans();
        this.predicate = predicate;
        this.sorted = sorted;
        prefix = best(predicate);
        candidates = prefix == null ? candidates() : null;
        access = access(needed);
    }

    private @Nullable RouteCandidates candidates() {
        List<AttributeValue> values = new ArrayList<>();
        for (RoutePredicate term : predicate.terms()) {
            if (term instanceof OfRoute of && of.value != null) {
                values.add(of.value);
            }
        }
        return values.isEmpty() ? null : scans.candidates(values);
    }

    private Access access(long needed) {
        if (prefix != null) {
            return Access.PREFIX;
        }
        boolean inTries = sorted && !scans.anyOther(this::meets);
        RouteCandidates found = candidates;
        if (found == null) {
            return inTries ? Access.TRIES : Access.TABLES;
        }
        double matches = Math.max(1, FOUND_PER_BLOCK * found.blocks());
        double share = sorted && !inTries ? 1 : Math.min(1, needed / matches);
        double others = share * (inTries ? rib.size() : routesLeft());
        if (COST_OF_BLOCK * found.blocks() <= others) {
            return Access.INDEX;
        }
        return inTries ? Access.TRIES : Access.TABLES;
    }

    private long routesLeft() {
        return scans.tables().stream()
                .filter(this::meets)
                .mapToLong(RibTable::routes)
                .sum();
    }

    private static @Nullable OfPrefix best(RoutePredicate predicate) {
        OfPrefix best = null;
        List<RoutePredicate> terms = predicate.terms();
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i) instanceof OfPrefix of && (best == null || of.how.ordinal() < best.how.ordinal())) {
                best = of;
            }
        }
        return best;
    }

    private boolean family(int family) {
        for (RoutePredicate term : predicate.terms()) {
            if (term instanceof OfTable of && of.what == OfTable.What.FAMILY && !of.values.contains(family)) {
                return false;
            }
        }
        return true;
    }

    private boolean rd(long rd) {
        for (RoutePredicate term : predicate.terms()) {
            LongPredicate of = term instanceof OfRoute route ? route.rd : null;
            if (of != null && !of.test(rd)) {
                return false;
            }
        }
        return true;
    }

    private boolean meets(RibTable table) {
        return predicate.of(table) != RoutePredicate.Truth.NONE;
    }

    /** Returns whether the table of a route decides at present. */
    boolean ofTables() {
        return scans.tables().stream().noneMatch(t -> predicate.of(t) == RoutePredicate.Truth.SOME);
    }

    /** Returns whether the access path returns routes in the order of prefixes; otherwise they have to be sorted. */
    boolean inOrder() {
        return prefix != null ? prefix.how == OfPrefix.How.COVERED_BY : access == Access.TRIES;
    }

    RouteScan scan() {
        if (prefix != null) {
            return switch (prefix.how) {
                case LONGEST_MATCH -> covering(prefix, 0, predicate::test);
                case EQUAL -> covering(prefix, prefix.length, route -> false);
                case COVERS -> covering(prefix, 0, route -> false);
                case COVERED_BY ->
                    scans.covered(prefix.ipv6, prefix.high, prefix.low, prefix.length, this::family, this::rd);
            };
        }
        RouteCandidates found = candidates;
        if (access == Access.INDEX && found != null) {
            return found.scan(this::meets);
        }
        return access == Access.TRIES ? scans.inOrder(this::family, this::rd) : scans.all(this::meets);
    }

    private RouteScan covering(OfPrefix of, int shortest, dev.silkroute.rib.RouteCondition until) {
        return scans.covering(of.ipv6, of.high, of.low, of.length, shortest, this::family, this::rd, until);
    }

    /** The conditions to be tested on each route; null if there are none. */
    @Nullable
    RoutePredicate residual() {
        boolean decided = access == Access.TRIES
                ? predicate.terms().stream().allMatch(t -> t instanceof OfTable of && of.what == OfTable.What.FAMILY)
                : predicate.terms().isEmpty() || ofTables();
        if (prefix == null && decided) {
            return null;
        }
        return predicate;
    }

    /** Returns the answer of a counter, -1 if no counter has it. */
    static long counted(Rib rib, RoutePredicate predicate) {
        if (predicate instanceof OfRoute of) {
            return ofOrigin(rib.scans(), of);
        }
        if (predicate instanceof OfTable of && of.only instanceof RibPeer peer) {
            return rib.scans().routes(peer);
        }
        return ofTables(rib, predicate.terms());
    }

    /** Returns the number of routes of an origin AS, -1 if no counter has it. */
    private static long ofOrigin(RibScans scans, OfRoute of) {
        if (of.origin < 0 || !scans.isPurged()) {
            return -1;
        }
        return of.origin > 0xFFFF_FFFFL ? 0 : scans.routesOfOrigin((int) of.origin);
    }

    private static long ofTables(Rib rib, List<RoutePredicate> terms) {
        RibPeer peer = null;
        RibView view = null;
        int family = -1;
        for (int i = 0; i < terms.size(); i++) {
            RoutePredicate term = terms.get(i);
            if (!(term instanceof OfTable of) || of.only == null) {
                return -1;
            }
            Object value = of.only;
            switch (of.what) {
                case PEER -> {
                    if (peer != null) {
                        return -1;
                    }
                    peer = (RibPeer) value;
                }
                case VIEW -> {
                    if (view != null) {
                        return -1;
                    }
                    view = (RibView) value;
                }
                case FAMILY -> {
                    if (family != -1) {
                        return -1;
                    }
                    family = (Integer) value;
                }
                default -> {
                    return -1;
                }
            }
        }
        return counter(rib, peer, view, family);
    }

    private static long counter(Rib rib, @Nullable RibPeer peer, @Nullable RibView view, int family) {
        RibScans scans = rib.scans();
        if (peer != null) {
            return view != null ? scans.routes(peer, view, family) : family == -1 ? scans.routes(peer) : -1;
        }
        if (view != null) {
            return family == -1 ? scans.routes(view) : rib.size(view, family);
        }
        return family == -1 ? rib.size() : scans.routes(family);
    }

    /** The number of routes. */
    long count() {
        long counted = counted(rib, predicate);
        if (counted >= 0) {
            return counted;
        }
        if (prefix == null && ofTables()) {
            return scans.tables().stream()
                    .filter(t -> predicate.of(t) == RoutePredicate.Truth.ALL)
                    .mapToLong(RibTable::routes)
                    .sum();
        }
        if (bySets()) {
            return scans.routesOfSets(predicate);
        }
        long[] count = new long[1];
        RouteScan scan = scan();
        while (scan.advance(route -> count[0] += predicate.test(route) ? 1 : 0)) {}
        return count[0];
    }

    /** Returns whether the routes are counted by their attribute sets. */
    private boolean bySets() {
        if (!predicate.ofAttributes() || !scans.isPurged()) {
            return false;
        }
        RouteCandidates found = candidates;
        return found == null || COST_OF_BLOCK * found.blocks() > scans.attributeSets();
    }

    /** Describes the access path of the routes. */
    String explain(long skip, long limit) {
        StringBuilder out = new StringBuilder();
        out.append("routes: ").append(access()).append('\n');
        RoutePredicate residual = residual();
        if (residual != null) {
            out.append("  each tested: ").append(residual).append('\n');
        }
        if (sorted) {
            out.append(inOrder() ? "  in the order of prefixes\n" : "  sorted after that\n");
        }
        if (skip > 0 || limit != Long.MAX_VALUE) {
            out.append("  skip ")
                    .append(skip)
                    .append(limit == Long.MAX_VALUE ? "" : ", limit " + limit)
                    .append('\n');
        }
        return out.toString();
    }

    private String access() {
        if (prefix != null) {
            return prefix.how == OfPrefix.How.COVERED_BY ? "range of tries, " + prefix : "keys, " + prefix;
        }
        RouteCandidates found = candidates;
        if (access == Access.INDEX && found != null) {
            return "index of attributes, at most " + found.most() + " routes";
        }
        if (access == Access.TRIES) {
            return "tries";
        }
        List<RibTable> tables = scans.tables();
        return tables.stream().filter(this::meets).count() + " of " + tables.size() + " tables";
    }

    /** Describes how {@link #count} counts. */
    String counting() {
        if (counted(rib, predicate) >= 0) {
            return "a counter";
        }
        if (prefix == null && ofTables()) {
            return "the tables' counters";
        }
        if (bySets()) {
            return "each attribute set once";
        }
        return access == Access.INDEX ? "the routes of the index" : "the routes";
    }
}
