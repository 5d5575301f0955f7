package dev.silkroute.rib;

import dev.silkroute.route.RouteBatch;
import java.util.Arrays;

/**
 * Each distinct attribute set once: all attributes, byte for byte, found by the hash that the wire format brings, and counted by the routes
 * that have it.
 *
 * <pre>
 * 0 bytes | 1 their number | 2..3 upper half of the hash | 4 routes | 5 hash in the index | 6 origin's counter, or 0 | 7 may be unused
 * </pre>
 *
 * A set without routes is taken away at the end of the batch ({@link #settle}), so that a set of the batch needs no hold.
 */
final class Attributes {
    private static final int BYTES = 0;
    private static final int LENGTH = 1;
    private static final int HASH_HIGH = 2;
    private static final int REFERENCES = 4;
    private static final int HASH = 5;
    private static final int ORIGIN = 6;
    /** Whether the set is among those that {@link #settle} looks at. */
    private static final int UNSETTLED = 7;

    private static final int WIDTH = 8;

    final Records records;
    private final HashIndex index;
    private final ByteSlab slab;
    private final Origins origins;
    private final Limbo limbo;
    private int[] unsettled = new int[256];
    private int unsettledCount;

    Attributes(ByteSlab slab, Origins origins, Limbo limbo, Memory memory) {
        this.slab = slab;
        this.origins = origins;
        this.limbo = limbo;
        records = new Records(WIDTH, memory);
        index = new HashIndex(memory);
    }

    /** The id of a batch's set, 0 if it isn't here. */
    int find(RouteBatch batch, int set) {
        long high = batch.hashHigh(set);
        int hash = HashIndex.mix(batch.hashLow(set));
        long[] part = index.part(hash);
        int slot = HashIndex.home(part, hash);
        for (long entry = HashIndex.slot(part, slot); entry != 0; entry = HashIndex.slot(part, slot)) {
            int id = HashIndex.id(entry);
            if (HashIndex.hasHash(entry, hash)
                    && records.get(id, HASH_HIGH) == (int) (high >>> 32)
                    && records.get(id, HASH_HIGH + 1) == (int) high) {
                return id;
            }
            slot = HashIndex.after(part, slot);
        }
        return 0;
    }

    int add(RouteBatch batch, int set) {
        byte[] b = batch.bytes();
        int from = batch.attributesFrom(set);
        int to = batch.attributesTo(set);
        int hash = HashIndex.mix(batch.hashLow(set));
        long high = batch.hashHigh(set);
        int id = records.claim();
        int ref = slab.claim(to - from);
        System.arraycopy(b, from, slab.bytes(ref), ByteSlab.offset(ref), to - from);
        long origin = CanonicalSet.origin(b, from, to);
        records.set(id, BYTES, ref);
        records.set(id, LENGTH, to - from);
        records.set(id, HASH_HIGH, (int) (high >>> 32));
        records.set(id, HASH_HIGH + 1, (int) high);
        records.set(id, REFERENCES, 0);
        records.set(id, HASH, hash);
        records.set(id, ORIGIN, origin < 0 ? 0 : origins.join((int) origin));
        records.set(id, UNSETTLED, 0);
        unsettled(id);
        index.add(hash, id);
        return id;
    }

    void hold(int id) {
        records.publish(id, REFERENCES, records.get(id, REFERENCES) + 1);
    }

    void drop(int id) {
        int left = records.get(id, REFERENCES) - 1;
        records.publish(id, REFERENCES, left);
        if (left == 0) {
            unsettled(id);
        }
    }

    private void unsettled(int id) {
        if (records.get(id, UNSETTLED) != 0) {
            return;
        }
        records.set(id, UNSETTLED, 1);
        if (unsettledCount == unsettled.length) {
            unsettled = Arrays.copyOf(unsettled, unsettledCount * 2);
        }
        unsettled[unsettledCount++] = id;
    }

    /** Takes away the sets that no route has. */
    void settle() {
        for (int i = 0; i < unsettledCount; i++) {
            int id = unsettled[i];
            records.set(id, UNSETTLED, 0);
            if (records.get(id, REFERENCES) == 0) {
                remove(id);
            }
        }
        unsettledCount = 0;
    }

    private void remove(int id) {
        index.remove(records.get(id, HASH), id);
        int origin = records.get(id, ORIGIN);
        if (origin != 0 && origins.leave(origin)) {
            limbo.add(Stores.ORIGIN, origin, 0);
        }
        limbo.add(Stores.SLAB, records.get(id, BYTES), records.get(id, LENGTH));
        limbo.add(Stores.ATTRIBUTES, id, 0);
    }

    /** Counts a route of a set for its origin. */
    void count(int id, int routes) {
        int origin = records.get(id, ORIGIN);
        if (origin != 0) {
            origins.count(origin, routes);
        }
    }

    /** Routes that have a set; 0 if the id stands for none. */
    int references(int id) {
        return records.read(id, REFERENCES);
    }

    int ref(int id) {
        return records.get(id, BYTES);
    }

    int length(int id) {
        return records.get(id, LENGTH);
    }

    /** Whether two sets have the same AS path and the same next hop. */
    boolean sameWay(int one, int other) {
        int ref = ref(one);
        int otherRef = ref(other);
        int from = ByteSlab.offset(ref);
        int otherFrom = ByteSlab.offset(otherRef);
        return one == other
                || CanonicalSet.sameWay(
                        slab.bytes(ref),
                        from,
                        from + length(one),
                        slab.bytes(otherRef),
                        otherFrom,
                        otherFrom + length(other));
    }

    /** The origin AS, -1 if there is none. */
    long originAs(int id) {
        int origin = records.get(id, ORIGIN);
        return origin == 0 ? -1 : Integer.toUnsignedLong(origins.asn(origin));
    }

    /** Distinct sets. */
    int size() {
        return index.size();
    }

    int limit() {
        return records.limit();
    }
}
