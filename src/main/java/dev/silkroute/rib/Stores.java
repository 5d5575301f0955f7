package dev.silkroute.rib;

/** All that a shard keeps, under one bound of memory. */
final class Stores {
    // What can be in limbo.
    static final int ROUTE = 0;
    static final int PAGE = 1;
    static final int KEY4 = 2;
    static final int KEY6 = 3;
    static final int EXACT = 4;
    static final int NODE = 5;
    static final int SLAB = 6;
    static final int ORIGIN = 7;

    /** For parts of indexes that grow. */
    private static final long INDEX_GROWTH = 1 << 20;

    final Memory memory;
    final Epochs epochs;
    final Limbo limbo;
    final ByteSlab slab;
    final Origins origins;
    final Attributes attributes;
    final Extras extras;
    final PrefixKeys keys4;
    final PrefixKeys keys6;
    final ExactKeys exact;
    final TrieNodes nodes;
    final Tries tries;
    final Tables tables;
    final Routes routes;
    final Chains chains;
    private final long headroom;
    private final Limbo.Release release = this::release;

    Stores(long bytes, int maxTables, Epochs epochs) {
        this.epochs = epochs;
        memory = new Memory(bytes);
        limbo = new Limbo(epochs, memory);
        slab = new ByteSlab(memory);
        origins = new Origins(memory);
        attributes = new Attributes(slab, origins, limbo, memory);
        extras = new Extras(slab);
        keys4 = new PrefixKeys(false, memory);
        keys6 = new PrefixKeys(true, memory);
        exact = new ExactKeys(slab, memory);
        nodes = new TrieNodes(memory);
        tries = new Tries(nodes, keys4, keys6, memory, (node, ints) -> limbo.add(NODE, node, ints));
        tables = new Tables(maxTables);
        routes = new Routes(memory);
        chains = new Chains(routes, tables, memory);
        headroom = 12L * Records.SEGMENT_INTS * Integer.BYTES + 2 * ByteSlab.segmentBytes() + INDEX_GROWTH;
    }

    /** Whether another route of any size fits, whatever it needs, or goes over the bound by a segment at most. */
    boolean room(Table table, int setLength, int extraLength, int keyLength) {
        if (memory.left() > headroom) {
            return true;
        }
        return routes.room(table)
                && origins.room()
                && slab.room(Attributes.HEADER + setLength)
                && slab.room(extraLength)
                && slab.room(keyLength)
                && (Tries.holds(table.family)
                        ? tries.keys(table.family).records.room(1) && nodes.room()
                        : exact.records.room(1));
    }

    void reclaim() {
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
            case KEY4 -> keys4.records.release(ref);
            case KEY6 -> keys6.records.release(ref);
            case EXACT -> exact.records.release(ref);
            case NODE -> nodes.slab.release(ref, length);
            case SLAB -> slab.release(ref, length);
            case ORIGIN -> origins.release(ref);
            default -> throw new IllegalStateException("kind " + kind);
        }
    }
}
