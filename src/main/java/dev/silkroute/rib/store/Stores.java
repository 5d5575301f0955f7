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

/** All that a shard keeps, under one bound of memory. */
public final class Stores {
    // What can be in limbo.
    public static final int ROUTE = 0;
    public static final int PAGE = 1;
    public static final int EXACT = 2;
    public static final int NODE = 3;
    public static final int SLAB = 4;
    static final int LIST = 5;
    public static final int TRIE = 6;
    /** And the place of {@link #keys}. */
    static final int KEY = 7;

    /** For parts of indexes that grow. */
    private static final long INDEX_GROWTH = 1 << 20;

    /** So much at least is freed until a segment is, even if all in it are sets of the greatest length. */
    private static final int FREED_OF_SEGMENT = 16;

    public final MemoryBudget memory;
    final Epochs epochs;
    public final ReclaimQueue limbo;
    public final ByteSlab slab;
    public final Origins origins;
    public final AttributeStore attributes;
    public final RouteExtras extras;
    /** IPv4 and IPv6 without RDs, the same with RDs. */
    final PrefixKeys[] keys;

    /** Long lists of routes. */
    public final RecordSlab lists;

    public final ExactKeys exact;
    public final TrieNodes nodes;
    public final Tries tries;
    public final Tables tables;
    public final RouteRecords routes;
    public final RouteLists chains;
    private final long headroom;
    /** What limbo must have freed until {@link #join} is worth its while again. */
    private long joinAt;

    private final ReclaimQueue.Release release = this::release;

    public Stores(long bytes, int maxTables, Epochs epochs) {
        this.epochs = epochs;
        memory = new MemoryBudget(bytes);
        limbo = new ReclaimQueue(epochs, memory);
        slab = new ByteSlab(memory);
        origins = new Origins(memory);
        attributes = new AttributeStore(slab, origins, limbo, memory);
        extras = new RouteExtras(slab);
        lists = Keys.lists(memory);
        keys = new PrefixKeys[] {
            new PrefixKeys(false, false, lists, memory), new PrefixKeys(true, false, lists, memory),
            new PrefixKeys(false, true, lists, memory), new PrefixKeys(true, true, lists, memory)
        };
        exact = new ExactKeys(slab, lists, memory);
        nodes = new TrieNodes(memory);
        tries = new Tries(nodes, keys, memory, limbo);
        tables = new Tables(maxTables);
        routes = new RouteRecords(memory);
        chains = new RouteLists(routes, limbo, memory);
        headroom = 12L * RecordSlab.SEGMENT_INTS * Integer.BYTES + 2 * ByteSlab.segmentBytes() + INDEX_GROWTH;
    }

    /**
     * Whether another route of any size fits, whatever it needs, or goes over the bound by a segment at most.
     *
     * @param rd where the table's prefixes have one
     */
    public boolean room(Table table, long rd, boolean pathId, int setLength, int extraLength, int keyLength) {
        boolean inTrie = Tries.holds(table.family);
        Keys of = inTrie ? tries.keys(table.family) : exact;
        if (of.full()) {
            return false;
        }
        if (memory.left() > headroom && !slab.full()) {
            return true;
        }
        return fits(table, of, rd, pathId, setLength, extraLength, keyLength)
                || join() && fits(table, of, rd, pathId, setLength, extraLength, keyLength);
    }

    private boolean fits(Table table, Keys of, long rd, boolean pathId, int setLength, int extraLength, int keyLength) {
        return memory.left() > headroom && !slab.full()
                || routes.room(table, pathId)
                        && slab.room(AttributeStore.HEADER + setLength)
                        && slab.room(extraLength)
                        && slab.room(keyLength)
                        && of.room()
                        && (of == exact || nodes.room() && tries.room(table.family, rd));
    }

    /**
     * Makes one of what is free in pieces, and gives back segments that are free and tries without prefixes. That takes as long as there is to look at, so it
     * is done again only when as much has been freed.
     *
     * @return whether it was done
     */
    private boolean join() {
        if (limbo.freed() < joinAt) {
            return false;
        }
        int blocks = nodes.slab.join() + slab.join() + tries.dropEmpty();
        joinAt = limbo.freed() + Math.max(blocks, FREED_OF_SEGMENT * (nodes.slab.segments() + slab.segments()));
        return true;
    }

    /** What a key of these is in limbo. */
    public int kind(PrefixKeys of) {
        int place = 0;
        while (keys[place] != of) {
            place++;
        }
        return KEY + place;
    }

    public int prefixes() {
        int prefixes = 0;
        for (PrefixKeys of : keys) {
            prefixes += of.used();
        }
        return prefixes;
    }

    public void reclaim() {
        limbo.reclaim(release);
    }

    private void release(int kind, int ref, int length) {
        switch (kind) {
            case ROUTE -> {
                int page = routes.release(tables, ref);
                if (page != 0) {
                    limbo.add(PAGE, page, 0);
                }
            }
            case PAGE -> routes.releasePage(ref);
            case EXACT -> exact.release(ref);
            case NODE -> nodes.slab.release(ref, length);
            case SLAB -> slab.release(ref, length);
            case LIST -> lists.release(ref);
            case TRIE -> tries.release(ref);
            default -> keys[kind - KEY].release(ref);
        }
    }
}
