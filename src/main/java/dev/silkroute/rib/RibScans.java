package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.index.AttributeIndex;
import dev.silkroute.rib.memory.HashIndex;
import dev.silkroute.rib.peer.PeerState;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.AttributeStore;
import dev.silkroute.rib.trie.Trie;
import dev.silkroute.rib.trie.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Scans and counters for {@code rib.query}. IPv4 addresses are in the lower 32 bits of {@code low}. Thread-safe; the
 * scans it makes are not.
 */
public final class RibScans {
    private static final RibView[] VIEWS = RibView.values();

    /** The part of all blocks beyond which it is faster to visit all routes. */
    private static final int DENSE_SHARE = 4;

    /** So many blocks are never too many. */
    private static final int FEW_BLOCKS = 256;

    private final Rib rib;
    private final List<AttributeIndex> indexes;

    @SuppressWarnings("unused") // written so that the JIT compiler cannot eliminate the prefetching loads
    private int loaded;

    /** @param indexes one for each shard */
    RibScans(Rib rib, List<AttributeIndex> indexes) {
        this.rib = rib;
        this.indexes = indexes;
    }

    /** Every table that has or had routes. A table with routes in several shards is listed once per shard. */
    public List<RibTable> tables() {
        List<RibTable> tables = new ArrayList<>();
        for (Shard shard : rib.shards()) {
            for (int i = 1; i <= shard.stores.tables.count(); i++) {
                tables.add(shard.stores.tables.get(i));
            }
        }
        return tables;
    }

    /** Scans all routes of some tables, in no particular order. */
    public RouteScan all(Predicate<RibTable> which) {
        List<TableScan.Part> parts = new ArrayList<>();
        for (Shard shard : rib.shards()) {
            for (int i = 1; i <= shard.stores.tables.count(); i++) {
                Table table = shard.stores.tables.get(i);
                if (which.test(table)) {
                    parts.add(TableScan.Part.of(shard, table));
                }
            }
        }
        return new TableScan(rib, parts);
    }

    /**
     * Returns where routes with all of some values of attributes may be; null if they are on more than a quarter of all
     * blocks, or if the index has no memory for these attributes. The first call for an attribute reads all
     * routes, later ones those of the pages that have changed since.
     *
     * @param values one at least
     */
    public @Nullable RouteCandidates candidates(List<AttributeValue> values) {
        List<AttributeIndex.Wanted> wanted =
                values.stream().map(value -> value.wanted).toList();
        List<RouteCandidates.Part> parts = new ArrayList<>();
        Shard[] shards = rib.shards();
        for (int i = 0; i < shards.length; i++) {
            long most = shards[i].registry.routes.get() / AttributeIndex.ROUTES_PER_BLOCK / DENSE_SHARE;
            int[] blocks = indexes.get(i).find(wanted, (int) Math.max(most, FEW_BLOCKS));
            if (blocks == null) {
                return null;
            }
            parts.add(new RouteCandidates.Part(shards[i], blocks));
        }
        return new RouteCandidates(rib, parts);
    }

    /** Bytes of heap that the indexes of attributes use. */
    long indexBytes() {
        return indexes.stream().mapToLong(AttributeIndex::bytes).sum();
    }

    /** Scans the prefixes covered by a prefix, in order, in some families and RDs of its address family. */
    public RouteScan covered(boolean ipv6, long high, long low, int length, IntPredicate families, LongPredicate rds) {
        PrefixScan scan = new PrefixScan(rib);
        addCovered(scan, ipv6, high, low, length, families, rds);
        return scan;
    }

    /** Scans all prefixes in order, in some families and RDs. */
    public RouteScan inOrder(IntPredicate families, LongPredicate rds) {
        PrefixScan scan = new PrefixScan(rib);
        addCovered(scan, false, 0, 0, 0, families, rds);
        addCovered(scan, true, 0, 0, 0, families, rds);
        return scan;
    }

    private void addCovered(
            PrefixScan scan, boolean ipv6, long high, long low, int length, IntPredicate families, LongPredicate rds) {
        for (Shard shard : rib.shards()) {
            for (Trie trie : shard.stores.tries.all()) {
                if (trie.ipv6 == ipv6 && families.test(trie.family) && rds.test(trie.rd)) {
                    scan.add(shard, trie, left(ipv6, high, low), right(ipv6, low), length);
                }
            }
        }
    }

    private static long left(boolean ipv6, long high, long low) {
        return ipv6 ? high : low << 32;
    }

    private static long right(boolean ipv6, long low) {
        return ipv6 ? low : 0;
    }

    /**
     * Scans the prefixes that cover a prefix, the longest first.
     *
     * @param shortest length of the shortest one to visit; {@code length} for the prefix alone
     * @param until the first prefix with a route that meets this ends the scan of its family and RD
     */
    public RouteScan covering(
            boolean ipv6,
            long high,
            long low,
            int length,
            int shortest,
            IntPredicate families,
            LongPredicate rds,
            RouteCondition until) {
        List<Shard> shards = new ArrayList<>();
        List<Trie> tries = new ArrayList<>();
        Shard[] all = rib.shards();
        for (Trie trie : tries(ipv6, families, rds)) {
            int home = Shard.of(ipv6, trie.rd, left(ipv6, high, low), length, all.length);
            add(all[home], trie, shards, tries);
            if (home != 0 && shortest < length) {
                add(all[0], trie, shards, tries);
            }
        }
        return new KeyScan(rib, shards, tries, left(ipv6, high, low), right(ipv6, low), length, shortest, until);
    }

    private static void add(Shard shard, Trie like, List<Shard> shards, List<Trie> tries) {
        Trie trie = shard.stores.tries.find(like.family, like.rd);
        if (trie != null) {
            shards.add(shard);
            tries.add(trie);
        }
    }

    /** One trie for each family and RD, from any shard. */
    private List<Trie> tries(boolean ipv6, IntPredicate families, LongPredicate rds) {
        List<Trie> found = new ArrayList<>();
        for (Shard shard : rib.shards()) {
            for (Trie trie : shard.stores.tries.all()) {
                if (trie.ipv6 == ipv6
                        && families.test(trie.family)
                        && rds.test(trie.rd)
                        && found.stream().noneMatch(other -> other.family == trie.family && other.rd == trie.rd)) {
                    found.add(trie);
                }
            }
        }
        return found;
    }

    /**
     * Visits all routes of the same NLRI as a route, including itself. Must be called while the route's view is valid.
     */
    public void siblings(RouteView route, Consumer<RouteView> each) {
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            reader.each(route.shard(), route.keys(), route.keyId(), each);
        } finally {
            rib.release(reader);
        }
    }

    /** The number of live routes of a peer in all views and families. */
    public long routes(RibPeer peer) {
        long routes = 0;
        for (Shard shard : rib.shards()) {
            PeerState state = shard.registry.peer(peer);
            routes += state == null ? 0 : state.routes.get();
        }
        return routes;
    }

    /**
     * The number of live routes of a peer in a view.
     *
     * @param family -1 for all families
     */
    public long routes(RibPeer peer, RibView view, int family) {
        long routes = 0;
        for (Shard shard : rib.shards()) {
            PeerState state = shard.registry.peer(peer);
            PeerView peerView = state == null ? null : state.view(view.code());
            if (peerView != null) {
                for (Table table : peerView.tables()) {
                    routes += family == -1 || family == table.family ? table.routes.get() : 0;
                }
            }
        }
        return routes;
    }

    public long routes(RibView view) {
        long routes = 0;
        for (Shard shard : rib.shards()) {
            routes += shard.registry.byView[view.code()].get();
        }
        return routes;
    }

    public long routes(int family) {
        long routes = 0;
        for (RibView view : VIEWS) {
            routes += rib.size(view, family);
        }
        return routes;
    }

    /**
     * Returns whether no routes of ended tables remain to be purged; counters per attribute set and origin AS are exact
     * then.
     */
    public boolean isPurged() {
        for (Shard shard : rib.shards()) {
            if (shard.purger.hidden.get() != 0) {
                return false;
            }
        }
        return true;
    }

    /** The number of distinct attribute sets, each counted once per shard. */
    public long attributeSets() {
        long sets = 0;
        for (Shard shard : rib.shards()) {
            sets += shard.stores.attributes.size();
        }
        return sets;
    }

    /** The number of routes of an origin AS; exact while {@link #isPurged}. */
    public long routesOfOrigin(int asn) {
        long routes = 0;
        for (Shard shard : rib.shards()) {
            routes += shard.stores.origins.routes(asn);
        }
        return routes;
    }

    /**
     * Counts the routes whose attributes meet a condition, by testing each distinct attribute set once; exact while
     * {@link #isPurged} and nothing is written.
     *
     * @param condition uses attributes only
     */
    public long routesOfSets(Predicate<Route> condition) {
        long[] routes = new long[1];
        RouteView view = new RouteView();
        for (Shard shard : rib.shards()) {
            AttributeStore sets = shard.stores.attributes;
            for (int part = 0; part < HashIndex.PARTS; part++) {
                RibReader reader = rib.borrowReader();
                try (RibReader.Section section = reader.enter()) {
                    loaded = sets.forEach(part, set -> {
                        view.moveToSet(shard, set);
                        routes[0] += condition.test(view) ? sets.references(set) : 0;
                    });
                } finally {
                    rib.release(reader);
                }
            }
        }
        return routes[0];
    }

    /** Returns whether any of some tables has routes that are not prefixes. */
    public boolean anyOther(Predicate<RibTable> which) {
        return tables().stream().anyMatch(t -> !Tries.isPrefixFamily(t.family()) && t.routes() > 0 && which.test(t));
    }
}
