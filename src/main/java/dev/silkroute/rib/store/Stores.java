package dev.silkroute.rib.store;

import dev.silkroute.rib.memory.ByteSlab;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.ReclaimQueue;
import dev.silkroute.rib.memory.RecordSlab;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.peer.Tables;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.TrieNodes;
import dev.silkroute.rib.trie.Tries;

/** The stores of a shard, which share one memory budget, and the release of what readers can no longer reach. */
public final class Stores {

    /** Headroom for a part of a hash index that grows. */
    private static final long INDEX_GROWTH = 1 << 20;

    /**
     * Blocks that have to be freed for each segment, at least, before joining free blocks can free a segment, even if
     * all blocks are attribute sets of maximum length.
     */
    private static final int MIN_BLOCKS_PER_SEGMENT = 16;

    public final MemoryBudget memory;
    final Epochs epochs;
    public final ReclaimQueue reclaimQueue;
    public final ByteSlab slab;
    public final Origins origins;
    public final AttributeStore attributes;
    public final RouteExtras extras;
    /** IPv4 and IPv6 without RDs, then the same with RDs. */
    final PrefixKeys[] keys;

    /** The records of long route lists. */
    public final RecordSlab longLists;

    public final ExactKeys exactKeys;
    public final TrieNodes nodes;
    public final Tries tries;
    public final Tables tables;
    public final RouteRecords routes;
    public final ChangedPages changedPages = new ChangedPages();
    public final RouteLists routeLists;
    private final long headroom;
    /** The number of released entries from which on {@link #coalesce} may free enough to be worth its time again. */
    private long coalesceAt;

    private final ReclaimQueue.Release release = this::release;

    public Stores(long bytes, int maxTables, Epochs epochs) {
        this.epochs = epochs;
        memory = new MemoryBudget(bytes);
        reclaimQueue = new ReclaimQueue(epochs, memory);
        slab = new ByteSlab(memory);
        origins = new Origins(memory);
        attributes = new AttributeStore(slab, origins, reclaimQueue, memory);
        extras = new RouteExtras(slab);
        longLists = Keys.longLists(memory);
        keys = new PrefixKeys[] {
            new PrefixKeys(false, false, longLists, memory), new PrefixKeys(true, false, longLists, memory),
            new PrefixKeys(false, true, longLists, memory), new PrefixKeys(true, true, longLists, memory)
        };
        exactKeys = new ExactKeys(slab, longLists, memory);
        nodes = new TrieNodes(memory);
        tries = new Tries(nodes, keys, memory, reclaimQueue);
        tables = new Tables(maxTables);
        routes = new RouteRecords(reclaimQueue, memory);
        routeLists = new RouteLists(routes, reclaimQueue, memory);
        // The segments that one route can need: of records, of pairs and of nodes; of its key, attributes and extra
        headroom = 15L * RecordSlab.SEGMENT_INTS * Integer.BYTES + 2 * ByteSlab.segmentBytes() + INDEX_GROWTH;
    }

    /**
     * Returns whether the budget allows another route, whatever it needs; it is exceeded by one segment at most.
     *
     * @param rd the route distinguisher of a table that has them
     */
    public boolean hasRoom(Table table, long rd, boolean pathId, int setLength, int extraLength, int keyLength) {
        Keys of = keys(table.family);
        if (of.full()) {
            return false;
        }
        if (memory.available() > headroom && !slab.full()) {
            return true;
        }
        return fits(table, of, rd, pathId, setLength, extraLength, keyLength)
                || coalesce() && fits(table, of, rd, pathId, setLength, extraLength, keyLength);
    }

    private boolean fits(Table table, Keys of, long rd, boolean pathId, int setLength, int extraLength, int keyLength) {
        return memory.available() > headroom && !slab.full()
                || routes.hasRoom(table, pathId)
                        && slab.hasRoom(AttributeStore.HEADER + setLength)
                        && slab.hasRoom(extraLength)
                        && slab.hasRoom(keyLength)
                        && of.hasRoom()
                        && (of == exactKeys || nodes.hasRoom() && tries.hasRoom(table.family, rd));
    }

    /**
     * Joins free blocks, gives back free segments and removes empty tries. It takes time in proportion to the number of
     * free blocks, so it runs again only after as many blocks have been freed.
     *
     * @return whether it ran
     */
    private boolean coalesce() {
        if (reclaimQueue.freed() < coalesceAt) {
            return false;
        }
        int blocks = nodes.slab.coalesce() + slab.coalesce() + tries.removeEmpty();
        coalesceAt = reclaimQueue.freed()
                + Math.max(blocks, MIN_BLOCKS_PER_SEGMENT * (nodes.slab.segments() + slab.segments()));
        return true;
    }

    /** The keys of a family's NLRI. */
    public Keys keys(int family) {
        return Tries.isPrefixFamily(family) ? tries.keys(family) : exactKeys;
    }

    /**
     * Returns the attribute set that a route refers to.
     *
     * @param attributes an attribute set, or the complement of an extra
     */
    public int set(int attributes) {
        return attributes > 0 ? attributes : extras.attributes(~attributes);
    }

    /** The kind of a key of these in the reclaim queue. */
    public int kind(PrefixKeys of) {
        int place = 0;
        while (keys[place] != of) {
            place++;
        }
        return ReclaimQueue.PREFIX_KEY + place;
    }

    public int prefixes() {
        int prefixes = 0;
        for (PrefixKeys of : keys) {
            prefixes += of.used();
        }
        return prefixes;
    }

    public void reclaim() {
        reclaimQueue.reclaim(release);
    }

    private void release(int kind, int ref, int length) {
        switch (kind) {
            case ReclaimQueue.ROUTE -> {
                int page = routes.release(tables, ref);
                if (page != 0) {
                    reclaimQueue.add(ReclaimQueue.PAGE, page, 0);
                }
            }
            case ReclaimQueue.PAGE -> routes.releasePage(ref);
            case ReclaimQueue.EXACT_KEY -> exactKeys.release(ref);
            case ReclaimQueue.NODE -> nodes.slab.release(ref, length);
            case ReclaimQueue.BYTES -> slab.release(ref, length);
            case ReclaimQueue.LONG_LIST -> longLists.release(ref);
            case ReclaimQueue.TRIE -> tries.release(ref);
            case ReclaimQueue.ROUTE_SESSIONS -> routes.releaseSessions(ref);
            default -> keys[kind - ReclaimQueue.PREFIX_KEY].release(ref);
        }
    }
}
