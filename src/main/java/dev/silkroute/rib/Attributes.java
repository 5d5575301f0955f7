package dev.silkroute.rib;

import dev.silkroute.net.BigEndian;
import dev.silkroute.route.RouteBatch;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Each distinct attribute set once: all attributes, byte for byte, in one block of the slab, counted by the routes that have it. A set's id is its block.
 *
 * <pre>
 * u32 routes | u32 origin AS | u8 flags | u24 bytes | canonical bytes
 *
 * flags: bit 0, may be unused; bit 1, has an origin
 * </pre>
 *
 * A set without routes is taken away at the end of the batch ({@link #settle}), so that a set of the batch needs no hold.
 */
final class Attributes {
    static final int HEADER = 12;

    private static final int ORIGIN = 4;
    private static final int FLAGS = 8;
    private static final int LENGTH = 9;

    /** The set is among those that {@link #settle} looks at. */
    private static final int UNSETTLED = 1;

    private static final int HAS_ORIGIN = 2;

    /** Bytes of a line of the caches. */
    private static final int LINE = 64;

    // The writer's numbers
    private static final int UNSETTLED_COUNT = Apart.INT;
    /** Only so that what was loaded isn't left out. */
    private static final int LOADED = UNSETTLED_COUNT + 1;

    /** Sets that are looked at, or leave, at a time. */
    private static final int TOGETHER = 64;

    private final HashIndex index;
    private final ByteSlab slab;
    private final Origins origins;
    private final Limbo limbo;
    private int[] unsettled = new int[256];
    private final int[] leaving = new int[TOGETHER];
    private final int[] hashes = new int[TOGETHER];

    private final int[] own = Apart.ints(2);

    Attributes(ByteSlab slab, Origins origins, Limbo limbo, Memory memory) {
        this.slab = slab;
        this.origins = origins;
        this.limbo = limbo;
        index = new HashIndex(memory);
    }

    /** The id of a batch's set, 0 if it isn't here. */
    int find(RouteBatch batch, int set, int hash) {
        byte[] b = batch.bytes();
        int from = batch.attributesFrom(set);
        int to = batch.attributesTo(set);
        long[] part = index.part(hash);
        int slot = HashIndex.home(part, hash);
        for (long entry = HashIndex.slot(part, slot); entry != 0; entry = HashIndex.slot(part, slot)) {
            if (HashIndex.hasHash(entry, hash) && is(HashIndex.id(entry), b, from, to)) {
                return HashIndex.id(entry);
            }
            slot = HashIndex.after(part, slot);
        }
        return 0;
    }

    /** A set that has a hash, 0 if there is none. */
    int likely(int hash) {
        long[] part = index.part(hash);
        int slot = HashIndex.home(part, hash);
        long entry = HashIndex.slot(part, slot);
        while (entry != 0 && !HashIndex.hasHash(entry, hash)) {
            slot = HashIndex.after(part, slot);
            entry = HashIndex.slot(part, slot);
        }
        return HashIndex.id(entry);
    }

    /** Loads where a hash is. @return not to be looked at */
    int touch(int hash) {
        return index.touch(hash);
    }

    /** Loads some sets. @param asns filled with their origins, or whatever @return not to be looked at */
    int load(int[] sets, int count, int[] asns) {
        int touched = 0;
        for (int i = 0; i < count; i++) {
            asns[i] = BigEndian.i32(bytes(sets[i]), ByteSlab.offset(sets[i]) + ORIGIN);
            touched += touchAll(sets[i]);
        }
        return touched;
    }

    /** The AS that a batch's set ends with, -1 if there is none. */
    static long origin(RouteBatch batch, int set) {
        return CanonicalSet.origin(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
    }

    /** Whether a set is one of a batch's. */
    boolean is(int id, RouteBatch batch, int set) {
        return is(id, batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
    }

    private boolean is(int id, byte[] b, int from, int to) {
        int at = from(id);
        return length(id) == to - from && Arrays.equals(bytes(id), at, at + to - from, b, from, to);
    }

    /** Adds a set that {@link #find} has just not found. */
    int add(RouteBatch batch, int set, int hash) {
        byte[] b = batch.bytes();
        int from = batch.attributesFrom(set);
        int to = batch.attributesTo(set);
        int id = slab.claim(HEADER + to - from);
        byte[] block = slab.bytes(id);
        int at = ByteSlab.offset(id);
        long origin = origin(batch, set);
        BigEndian.putU32(block, at, 0);
        BigEndian.putU32(block, at + ORIGIN, (int) origin);
        BigEndian.putU32(block, at + FLAGS, (origin < 0 ? 0 : HAS_ORIGIN << 24) | to - from);
        System.arraycopy(b, from, block, at + HEADER, to - from);
        unsettled(id);
        index.add(hash, id);
        return id;
    }

    void hold(int id) {
        BigEndian.putU32(bytes(id), ByteSlab.offset(id), references(id) + 1);
    }

    void drop(int id) {
        int left = references(id) - 1;
        BigEndian.putU32(bytes(id), ByteSlab.offset(id), left);
        if (left == 0) {
            unsettled(id);
        }
    }

    private void unsettled(int id) {
        byte[] block = bytes(id);
        int at = ByteSlab.offset(id) + FLAGS;
        if ((block[at] & UNSETTLED) != 0) {
            return;
        }
        block[at] |= UNSETTLED;
        if (own[UNSETTLED_COUNT] == unsettled.length) {
            unsettled = Arrays.copyOf(unsettled, own[UNSETTLED_COUNT] * 2);
        }
        unsettled[own[UNSETTLED_COUNT]++] = id;
    }

    /** Takes away the sets that no route has: some at a time, so that where the index has them is loaded for all of these together. */
    void settle() {
        for (int from = 0; from < own[UNSETTLED_COUNT]; from += TOGETHER) {
            int to = Math.min(own[UNSETTLED_COUNT], from + TOGETHER);
            int left = 0;
            for (int i = from; i < to; i++) {
                int id = unsettled[i];
                bytes(id)[ByteSlab.offset(id) + FLAGS] &= ~UNSETTLED;
                if (references(id) == 0) {
                    leaving[left] = id;
                    hashes[left++] = hash(id);
                }
            }
            for (int i = 0; i < left; i++) {
                own[LOADED] += index.touch(hashes[i]);
            }
            for (int i = 0; i < left; i++) {
                remove(leaving[i], hashes[i]);
            }
        }
        own[UNSETTLED_COUNT] = 0;
    }

    private int hash(int id) {
        int from = from(id);
        return HashIndex.hash(bytes(id), from, from + length(id));
    }

    private void remove(int id, int hash) {
        index.remove(hash, id);
        limbo.add(Stores.SLAB, id, HEADER + length(id));
    }

    /** Counts a route of a set for its origin. */
    void count(int id, int routes) {
        byte[] block = bytes(id);
        int at = ByteSlab.offset(id);
        if ((block[at + FLAGS] & HAS_ORIGIN) != 0) {
            origins.count(BigEndian.i32(block, at + ORIGIN), routes);
        }
    }

    /** Routes that have a set. */
    int references(int id) {
        return BigEndian.i32(bytes(id), ByteSlab.offset(id));
    }

    /** The array that a set's canonical bytes are in. */
    byte[] bytes(int id) {
        return slab.bytes(id);
    }

    /** Where they begin. */
    static int from(int id) {
        return ByteSlab.offset(id) + HEADER;
    }

    int length(int id) {
        return BigEndian.u24(bytes(id), ByteSlab.offset(id) + LENGTH);
    }

    /** Whether two sets have the same AS path and the same next hop. */
    boolean sameWay(int one, int other) {
        return one == other
                || CanonicalSet.sameWay(
                        bytes(one),
                        from(one),
                        from(one) + length(one),
                        bytes(other),
                        from(other),
                        from(other) + length(other));
    }

    /** Distinct sets. */
    int size() {
        return index.size();
    }

    /** Visits the sets of one of {@link HashIndex#PARTS} parts that are there, within a section; some of them are loaded together. @return not to be looked at */
    int forEach(int part, IntConsumer each) {
        int[] sets = index.ids(part);
        int touched = 0;
        for (int from = 0; from < sets.length; from += TOGETHER) {
            int to = Math.min(sets.length, from + TOGETHER);
            for (int i = from; i < to; i++) {
                touched += touchAll(sets[i]);
            }
            for (int i = from; i < to; i++) {
                each.accept(sets[i]);
            }
        }
        return touched;
    }

    private int touchAll(int id) {
        byte[] b = bytes(id);
        int at = ByteSlab.offset(id);
        return b[at] + b[Math.min(at + LINE, b.length - 1)] + b[Math.min(at + 2 * LINE, b.length - 1)];
    }
}
