package dev.silkroute.rib.apply;

import dev.silkroute.rib.store.AttributeStore;
import dev.silkroute.route.RouteBatch;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Maps the attribute sets of a batch (their index in its attribute table) to the shard's ids, so that each set is
 * looked up once per batch. An id stays valid until the batch ends, because unused sets are removed only then ({@link
 * AttributeStore#removeUnused}). Used by the shard's writer only.
 */
final class BatchAttributeSets {
    private final AttributeStore attributes;

    private @Nullable RouteBatch batch;
    /** Id in the shard of each set of the batch, 0 if the shard does not have it or it has not been looked up. */
    private int[] ids = new int[64];

    /** {@link AttributeStore#hash} of each requested set. */
    private int[] hashes = new int[64];

    /** The sets that have been requested or looked up, whose hash is therefore known. */
    private boolean[] requested = new boolean[64];

    // Sets requested since the last prefetch(), and the set of the shard that each of them is likely to be.
    private final int[] requests = new int[EventPrefetcher.WINDOW];
    private final int[] candidates = new int[EventPrefetcher.WINDOW];
    private int requestCount;

    BatchAttributeSets(AttributeStore attributes) {
        this.attributes = attributes;
    }

    void begin(RouteBatch of) {
        batch = of;
        requestCount = 0;
        int size = of.attributeSetCount();
        if (ids.length < size) {
            ids = new int[Math.max(size, ids.length * 2)];
            hashes = new int[ids.length];
            requested = new boolean[ids.length];
        }
        Arrays.fill(ids, 0, size, 0);
        Arrays.fill(requested, 0, size, false);
    }

    /** Drops the reference to the batch. */
    void end() {
        batch = null;
    }

    private RouteBatch batch() {
        return Objects.requireNonNull(batch, "no batch");
    }

    /** Requests a set for the next {@link #prefetch}; at most {@link EventPrefetcher#WINDOW} between two of them. */
    void request(int set) {
        if (!requested[set]) {
            hash(set);
            requests[requestCount++] = set;
        }
    }

    private int hash(int set) {
        if (!requested[set]) {
            requested[set] = true;
            hashes[set] = AttributeStore.hash(batch(), set);
        }
        return hashes[set];
    }

    /** Returns the set's id in the shard, 0 if the shard does not have it. */
    int find(int set) {
        int id = ids[set];
        if (id == 0) {
            id = attributes.find(hash(set), batch(), set);
            ids[set] = id;
        }
        return id;
    }

    /** Adds a set for which {@link #find} has just returned 0. */
    int add(int set) {
        int id = attributes.add(hash(set), batch(), set);
        ids[set] = id;
        return id;
    }

    /**
     * Looks up the requested sets together: first the index slots of all, then the bytes of all, then the comparisons.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    int prefetch() {
        RouteBatch of = batch();
        int touched = 0;
        for (int i = 0; i < requestCount; i++) {
            touched += attributes.touch(hashes[requests[i]]);
        }
        int found = 0;
        for (int i = 0; i < requestCount; i++) {
            int id = attributes.findByHash(hashes[requests[i]]);
            candidates[found] = id;
            requests[found] = requests[i];
            found += id == 0 ? 0 : 1;
        }
        for (int i = 0; i < found; i++) {
            touched +=
                    attributes.touchAll(candidates[i], of.attributesTo(requests[i]) - of.attributesFrom(requests[i]));
        }
        for (int i = 0; i < found; i++) {
            if (attributes.is(candidates[i], of, requests[i])) {
                ids[requests[i]] = candidates[i];
            }
        }
        requestCount = 0;
        return touched;
    }
}
