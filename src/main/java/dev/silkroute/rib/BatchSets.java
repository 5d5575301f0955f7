package dev.silkroute.rib;

import dev.silkroute.route.RouteBatch;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attribute sets of a batch: which of the shard's they are, as far as that has been asked. Sets of the shard stay what they are until the batch ends
 * ({@link Attributes#settle}). The writer's.
 */
final class BatchSets {
    private final Attributes attributes;
    private final Origins origins;

    private @Nullable RouteBatch batch;
    private int[] hashes = new int[64];
    /** Ids in the shard, 0 for those that aren't there or haven't been sought. */
    private int[] ids = new int[64];

    private boolean[] noted = new boolean[64];

    // Those that were noted since they were sought last.
    private final int[] sets = new int[Ahead.MOST];
    private int count;

    // What is loaded together: first the sets that routes have now, then those that are likely to be the noted ones.
    private final int[] known = new int[2 * Ahead.MOST];
    private final int[] ofSets = new int[Ahead.MOST];
    private final int[] unknown = new int[Ahead.MOST];
    private final int[] asns = new int[3 * Ahead.MOST];

    BatchSets(Attributes attributes, Origins origins) {
        this.attributes = attributes;
        this.origins = origins;
    }

    void begin(RouteBatch of) {
        batch = of;
        count = 0;
        int size = of.attributeSetCount();
        if (ids.length < size) {
            hashes = new int[Math.max(size, ids.length * 2)];
            ids = new int[hashes.length];
            noted = new boolean[hashes.length];
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

    /** A set will be asked for; at most {@link Ahead#MOST} until they are sought. */
    void note(int set) {
        if (!noted[set]) {
            hash(set);
            sets[count++] = set;
        }
    }

    private int hash(int set) {
        if (!noted[set]) {
            RouteBatch of = batch();
            noted[set] = true;
            hashes[set] = HashIndex.hash(of.bytes(), of.attributesFrom(set), of.attributesTo(set));
        }
        return hashes[set];
    }

    /** The set's id in the shard, 0 if it isn't there. */
    int find(int set) {
        int id = ids[set];
        if (id == 0) {
            id = attributes.find(batch(), set, hash(set));
            ids[set] = id;
        }
        return id;
    }

    /** Adds a set that {@link #find} has just not found. */
    int add(int set) {
        int id = attributes.add(batch(), set, hash(set));
        ids[set] = id;
        return id;
    }

    /**
     * Seeks what was noted, and loads these sets, those that some routes have now, and the counts of all their origins, each step for all of them.
     *
     * @param before sets that routes have, or complements of extras
     * @return not to be looked at
     */
    int seek(int[] before, int many) {
        int touched = 0;
        for (int i = 0; i < count; i++) {
            touched += attributes.touch(hashes[sets[i]]);
        }
        int had = 0;
        for (int i = 0; i < many; i++) {
            if (before[i] > 0) {
                known[had++] = before[i];
            }
        }
        int likely = 0;
        int others = 0;
        for (int i = 0; i < count; i++) {
            int id = attributes.likely(hashes[sets[i]]);
            if (id != 0) {
                ofSets[likely] = sets[i];
                known[had + likely++] = id;
            } else {
                unknown[others++] = sets[i];
            }
        }
        count = 0;
        touched += load(had + likely, others);
        for (int i = 0; i < likely; i++) {
            if (attributes.is(known[had + i], batch(), ofSets[i])) {
                ids[ofSets[i]] = known[had + i];
            }
        }
        return touched;
    }

    private int load(int sets, int others) {
        int touched = attributes.load(known, sets, asns);
        for (int i = 0; i < others; i++) {
            asns[sets + i] = (int) Attributes.origin(batch(), unknown[i]);
        }
        for (int i = 0; i < sets + others; i++) {
            touched += origins.touch(asns[i]);
        }
        return touched;
    }
}
