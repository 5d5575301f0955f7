package dev.silkroute.perf.rib;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A set of the attributes that the workload has, decoded; equal where all is equal. What is absent costs no object. */
final class PlainAttributes {
    private static final int[] NONE = {};
    private static final byte[] NO_BYTES = {};

    int origin;
    int[] path = NONE;
    int[] communities = NONE;
    int[] large = NONE;
    byte[] nextHop = NO_BYTES;
    private int hash;
    /** Routes that have it. Guarded by the pool that keeps it. */
    int uses;

    /** To be called when all is set. */
    PlainAttributes finished() {
        int code = 31 * (31 * Arrays.hashCode(path) + Arrays.hashCode(communities)) + origin;
        hash = 31 * (31 * code + Arrays.hashCode(large)) + Arrays.hashCode(nextHop);
        return this;
    }

    int originAs() {
        return path.length == 0 ? 0 : path[path.length - 1];
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PlainAttributes that
                && hash == that.hash
                && origin == that.origin
                && Arrays.equals(path, that.path)
                && Arrays.equals(communities, that.communities)
                && Arrays.equals(large, that.large)
                && Arrays.equals(nextHop, that.nextHop);
    }
}
