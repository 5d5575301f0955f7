package dev.silkroute.perf.rib;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set, decoded, with room for all attributes that are usual; equal where all is equal. What is absent costs no
 * object.
 */
final class PlainAttributes {
    private static final int[] NONE = {};
    private static final byte[] NO_BYTES = {};

    int origin;
    int[] path = NONE;
    int[] communities = NONE;
    int[] large = NONE;
    byte[] nextHop = NO_BYTES;
    int med;
    int localPref;
    int aggregatorAsn;
    int aggregatorAddress;
    int originator;
    int[] clusters = NONE;
    byte[] extended = NO_BYTES;
    byte[] others = NO_BYTES;
    boolean hasMed;
    boolean hasLocalPref;
    boolean atomicAggregate;
    private int hash;
    /** Routes that have it. Guarded by the pool that keeps it. */
    int uses;

    /** To be called when all is set. */
    PlainAttributes finished() {
        int code = 31 * Arrays.hashCode(path) + Arrays.hashCode(communities);
        code = 31 * (31 * code + Arrays.hashCode(large)) + Arrays.hashCode(nextHop);
        code = 31 * (31 * code + Arrays.hashCode(extended)) + Arrays.hashCode(others);
        hash = 31 * (31 * code + med) + localPref;
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
                && med == that.med
                && hasMed == that.hasMed
                && localPref == that.localPref
                && hasLocalPref == that.hasLocalPref
                && aggregatorAsn == that.aggregatorAsn
                && aggregatorAddress == that.aggregatorAddress
                && atomicAggregate == that.atomicAggregate
                && originator == that.originator
                && Arrays.equals(clusters, that.clusters)
                && Arrays.equals(extended, that.extended)
                && Arrays.equals(others, that.others)
                && Arrays.equals(path, that.path)
                && Arrays.equals(communities, that.communities)
                && Arrays.equals(large, that.large)
                && Arrays.equals(nextHop, that.nextHop);
    }
}
