package dev.silkroute.digest;

import org.jspecify.annotations.Nullable;

/**
 * The digest of a table: the number of its routes and the sum of their hashes, which does not depend on their order.
 * Two tables with equal digests are equal: for different tables the probability is 2<sup>-64</sup>, because the key of
 * the hashes is chosen for each comparison. Not thread-safe.
 */
public final class TableDigest {
    private final TableName name;
    private final long peerAsn;
    private final @Nullable Sketch sketch;
    private long routes;
    private long sum;

    /**
     * @param peerAsn AS number of the peer, for display
     * @param sketch null without one
     */
    public TableDigest(TableName name, long peerAsn, @Nullable Sketch sketch) {
        this(name, peerAsn, 0, 0, sketch);
    }

    /** Creates a digest that was computed elsewhere. */
    public TableDigest(TableName name, long peerAsn, long routes, long sum, @Nullable Sketch sketch) {
        this.name = name;
        this.peerAsn = peerAsn;
        this.routes = routes;
        this.sum = sum;
        this.sketch = sketch;
    }

    /** Adds a route by the hashes of its key and of itself. */
    public void add(long key, long route) {
        routes++;
        sum += route;
        if (sketch != null) {
            sketch.add(route, key);
        }
    }

    public TableName name() {
        return name;
    }

    public long peerAsn() {
        return peerAsn;
    }

    public long routes() {
        return routes;
    }

    /** The sum of the hashes of all routes, modulo 2<sup>64</sup>. */
    public long sum() {
        return sum;
    }

    public @Nullable Sketch sketch() {
        return sketch;
    }

    /** Returns whether the tables have the same routes. */
    public boolean sameRoutes(TableDigest other) {
        return routes == other.routes && sum == other.sum;
    }
}
