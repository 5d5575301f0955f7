package dev.silkroute.rib.apply;

import dev.silkroute.rib.store.AttributeStore;
import dev.silkroute.route.RouteBatch;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attribute sets of a batch: which of the shard's they are, as far as that has been asked. Sets of the shard stay what they are until the batch ends
 * ({@link AttributeStore#settle}). The writer's.
 */
final class BatchSets {
    private final AttributeStore attributes;

    private @Nullable RouteBatch batch;
    /** Ids in the shard, 0 for those that aren't there or haven't been sought. */
    private int[] ids = new int[64];

    private boolean[] noted = new boolean[64];

    // Those that were noted since they were sought last, and what is likely to be them.
    private final int[] sets = new int[EventPrefetcher.MOST];
    private final int[] likely = new int[EventPrefetcher.MOST];
    private int count;

    BatchSets(AttributeStore attributes) {
        this.attributes = attributes;
    }

    void begin(RouteBatch of) {
        batch = of;
        count = 0;
        int size = of.attributeSetCount();
        if (ids.length < size) {
            ids = new int[Math.max(size, ids.length * 2)];
            noted = new boolean[ids.length];
        }
        Arrays.fill(ids, 0, size, 0);
        Arrays.fill(noted, 0, size, false);
    }

    /** Lets the batch go. */
    void end() {
        batch = null;
    }

    private RouteBatch batch() {
        return Objects.requireNonNull(batch, "no batch");
    }

    /** A set will be asked for; at most {@link EventPrefetcher#MOST} until they are sought. */
    void note(int set) {
        if (!noted[set]) {
            noted[set] = true;
            sets[count++] = set;
        }
    }

    /** The set's id in the shard, 0 if it isn't there. */
    int find(int set) {
        int id = ids[set];
        if (id == 0) {
            id = attributes.find(batch(), set);
            ids[set] = id;
        }
        return id;
    }

    /** Adds a set that {@link #find} has just not found. */
    int add(int set) {
        int id = attributes.add(batch(), set);
        ids[set] = id;
        return id;
    }

    /**
     * Seeks what was noted, each step for all of them.
     *
     * @return not to be looked at
     */
    int seek() {
        RouteBatch of = batch();
        int touched = 0;
        for (int i = 0; i < count; i++) {
            touched += attributes.touch(of, sets[i]);
        }
        int found = 0;
        for (int i = 0; i < count; i++) {
            int id = attributes.likely(of, sets[i]);
            likely[found] = id;
            sets[found] = sets[i];
            found += id == 0 ? 0 : 1;
        }
        for (int i = 0; i < found; i++) {
            touched += attributes.loadAll(likely[i], of.attributesTo(sets[i]) - of.attributesFrom(sets[i]));
        }
        for (int i = 0; i < found; i++) {
            if (attributes.is(likely[i], of, sets[i])) {
                ids[sets[i]] = likely[i];
            }
        }
        count = 0;
        return touched;
    }
}
