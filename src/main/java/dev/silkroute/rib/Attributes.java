package dev.silkroute.rib;

import dev.silkroute.net.BigEndian;
import dev.silkroute.route.RouteBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Each distinct attribute set once: all attributes, byte for byte, in one block of the slab, counted by the routes that have it. A set's id is its block.
 *
 * <pre>
 * u32 routes | u32 origin's counter, or 0 | u8 may be unused | u24 bytes | canonical bytes
 * </pre>
 *
 * A set without routes is taken away at the end of the batch ({@link #settle}), so that a set of the batch needs no hold.
 */
final class Attributes {
    static final int HEADER = 12;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int SEGMENT_WORDS = 1 << ByteSlab.SEGMENT_UNITS_SHIFT - 5;

    private static final int ORIGIN = 4;
    /** Whether the set is among those that {@link #settle} looks at. */
    private static final int UNSETTLED = 8;

    private static final int LENGTH = 9;

    /** Bytes of a line of the caches. */
    private static final int LINE = 64;

    /** Sets that leave at a time. */
    private static final int TOGETHER = 64;

    private final HashIndex index;
    private final ByteSlab slab;
    private final Origins origins;
    private final Limbo limbo;
    private final Memory memory;
    /** Which units of each segment of the slab sets begin at, to go through them as they lie. */
    private final int[] @Nullable [] begins;

    private volatile int segments;
    private int[] unsettled = new int[256];
    private int unsettledCount;
    private final int[] leaving = new int[TOGETHER];
    private final int[] hashes = new int[TOGETHER];

    @SuppressWarnings("unused") // only so that what was loaded isn't left out
    private int loaded;

    Attributes(ByteSlab slab, Origins origins, Limbo limbo, Memory memory) {
        this.slab = slab;
        this.origins = origins;
        this.limbo = limbo;
        this.memory = memory;
        index = new HashIndex(memory);
        begins = new int[slab.mostSegments()][];
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

    /** Loads some sets. @param counters filled with those of their origins, or 0 @return not to be looked at */
    int load(int[] sets, int count, int[] counters) {
        int touched = 0;
        for (int i = 0; i < count; i++) {
            byte[] b = bytes(sets[i]);
            int at = ByteSlab.offset(sets[i]);
            counters[i] = BigEndian.i32(b, at + ORIGIN);
            touched += b[Math.min(at + LINE, b.length - 1)] + b[Math.min(at + 2 * LINE, b.length - 1)];
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
        BigEndian.putU32(block, at + ORIGIN, origin < 0 ? 0 : origins.join((int) origin));
        BigEndian.putU32(block, at + UNSETTLED, to - from);
        System.arraycopy(b, from, block, at + HEADER, to - from);
        unsettled(id);
        index.add(hash, id);
        begins(id, true);
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
        int at = ByteSlab.offset(id) + UNSETTLED;
        if (block[at] != 0) {
            return;
        }
        block[at] = 1;
        if (unsettledCount == unsettled.length) {
            unsettled = Arrays.copyOf(unsettled, unsettledCount * 2);
        }
        unsettled[unsettledCount++] = id;
    }

    /** Takes away the sets that no route has: some at a time, so that where the index has them is loaded for all of these together. */
    void settle() {
        for (int from = 0; from < unsettledCount; from += TOGETHER) {
            int to = Math.min(unsettledCount, from + TOGETHER);
            int left = 0;
            for (int i = from; i < to; i++) {
                int id = unsettled[i];
                bytes(id)[ByteSlab.offset(id) + UNSETTLED] = 0;
                if (references(id) == 0) {
                    leaving[left] = id;
                    hashes[left++] = hash(id);
                }
            }
            for (int i = 0; i < left; i++) {
                loaded += index.touch(hashes[i]);
            }
            for (int i = 0; i < left; i++) {
                remove(leaving[i], hashes[i]);
            }
        }
        unsettledCount = 0;
    }

    private int hash(int id) {
        int from = from(id);
        return HashIndex.hash(bytes(id), from, from + length(id));
    }

    private void remove(int id, int hash) {
        index.remove(hash, id);
        begins(id, false);
        int origin = originCounter(id);
        if (origin != 0 && origins.leave(origin)) {
            limbo.add(Stores.ORIGIN, origin, 0);
        }
        limbo.add(Stores.SLAB, id, HEADER + length(id));
    }

    /** Counts a route of a set for its origin. */
    void count(int id, int routes) {
        int origin = originCounter(id);
        if (origin != 0) {
            origins.count(origin, routes);
        }
    }

    int originCounter(int id) {
        return BigEndian.i32(bytes(id), ByteSlab.offset(id) + ORIGIN);
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

    private void begins(int id, boolean does) {
        int segment = id >>> ByteSlab.SEGMENT_UNITS_SHIFT;
        int[] words = begins[segment];
        if (words == null) {
            words = new int[SEGMENT_WORDS];
            memory.reserve((long) SEGMENT_WORDS * Integer.BYTES);
            begins[segment] = words;
            segments = Math.max(segments, segment + 1);
        }
        int word = id >>> 5 & SEGMENT_WORDS - 1;
        int bit = 1 << (id & 31);
        INT.setRelease(words, word, does ? words[word] | bit : words[word] & ~bit);
    }

    /** Segments that sets are in are below. */
    int segments() {
        return segments;
    }

    /** Visits the sets of a segment of the slab that are there, within a section. */
    void forEach(int segment, IntConsumer each) {
        int[] words = begins[segment];
        for (int word = 0; words != null && word < SEGMENT_WORDS; word++) {
            for (int bits = (int) INT.getAcquire(words, word); bits != 0; bits &= bits - 1) {
                each.accept(segment << ByteSlab.SEGMENT_UNITS_SHIFT | word << 5 | Integer.numberOfTrailingZeros(bits));
            }
        }
    }
}
