package dev.silkroute.rib;

import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.index.AttributeIndex;
import java.util.List;
import java.util.function.Predicate;

/**
 * Routes among which are all that have some values, as the index of attributes has them: blocks of neighboring routes.
 */
public final class RouteCandidates {
    /** The blocks of one shard. */
    record Part(Shard shard, int[] blocks) {}

    private final Rib rib;
    private final List<Part> parts;

    RouteCandidates(Rib rib, List<Part> parts) {
        this.rib = rib;
        this.parts = parts;
    }

    /** The number of blocks, each of which has had at least one route with the values. */
    public long blocks() {
        return parts.stream().mapToLong(part -> part.blocks.length).sum();
    }

    /** The maximum number of routes. */
    public long most() {
        return blocks() * AttributeIndex.ROUTES_PER_BLOCK;
    }

    /**
     * Scans the candidates that some tables have, in no particular order. Whether a route has the values is still to be
     * tested.
     */
    public RouteScan scan(Predicate<RibTable> tables) {
        return new BlockScan(rib, parts, tables);
    }
}
