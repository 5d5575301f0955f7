package dev.silkroute.rib.store;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.rib.memory.ByteSlab;
import dev.silkroute.rib.memory.HashIndex;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.PaddedArrays;
import dev.silkroute.rib.memory.ReclaimQueue;
import dev.silkroute.route.RouteBatch;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Interned path attributes: every distinct attribute set of the shard once, byte for byte, in one block of the byte
 * slab. The id of a set is the unit of its block. Routes refer to sets by id, and each set counts the routes that have
 * it.
 *
 * <pre>
 * u32 routes | u32 origin AS | u32 description | u8 bits 31-24 of the hash | canonical bytes
 *
 * description  bit 31 candidate for removal | bit 30 has an origin AS | 29-20 bits 23-14 of the hash | 19-0 length
 *
 * ORIGIN IGP, AS_PATH 64500 64501, NEXT_HOP 192.0.2.1 with hash 0x9A3C51E7, one route, 27 canonical bytes:
 * 00000001 0000FBF5 4F10001B 9A
 * 50 01 0001 00 | 50 02 000A 02 02 0000FBF4 0000FBF5 | 50 03 0004 C0000201
 * </pre>
 *
 * The hash is derived from the one that route batches carry for their sets. Only its upper 18 bits are kept, which
 * is enough to find the set in the index when it is removed; they fit into bits that the length does not need and into
 * one byte that the rounding of block sizes mostly leaves unused.
 *
 * <p>A set that no route has any more is removed at the end of the batch ({@link #removeUnused}), so sets found during
 * a batch need not be held.
 *
 * <p>One thread writes. A set's bytes never change; readers reach a set through a published route or through the index,
 * and its block is reclaimed when none of them can have it.
 */
public final class AttributeStore {
    static final int HEADER = 13;

    /** Maximum number of canonical bytes of a set. The longest BGP message (RFC 8654) has an eighth of that. */
    public static final int MAX_BYTES = ByteSlab.MAX_BLOCK_BYTES - HEADER;

    private static final int ORIGIN = 4;
    private static final int DESCRIPTION = 8;
    private static final int HASH = 12;

    /** The set is among the candidates that {@link #removeUnused} will look at. */
    private static final int CANDIDATE = 1 << 31;

    private static final int HAS_ORIGIN = 1 << 30;
    private static final int LENGTH_BITS = 20;
    private static final int LENGTH = (1 << LENGTH_BITS) - 1;
    /** The lowest bit of the hash that is kept. */
    private static final int LOWEST_KEPT_BIT = 14;

    /** Mask of the kept hash bits that are in the description. */
    private static final int DESCRIPTION_HASH_MASK = (1 << 24 - LOWEST_KEPT_BIT) - 1;

    /** Bytes per cache line. */
    private static final int LINE = 64;

    // Indexes in state, which only the writer uses
    private static final int CANDIDATE_COUNT = PaddedArrays.FIRST_INT;
    /** Receives prefetched values, so that the JIT compiler cannot eliminate the loads. */
    private static final int SINK = CANDIDATE_COUNT + 1;

    /** The number of sets that are prefetched together. */
    private static final int BATCH = 64;

    private final HashIndex index;
    private final ByteSlab slab;
    private final Origins origins;
    private final ReclaimQueue reclaimQueue;
    private int[] candidates = new int[256];
    private final int[] leaving = new int[BATCH];
    private final int[] hashes = new int[BATCH];

    private final int[] state = PaddedArrays.ints(2);

    AttributeStore(ByteSlab slab, Origins origins, ReclaimQueue reclaimQueue, MemoryBudget memory) {
        this.slab = slab;
        this.origins = origins;
        this.reclaimQueue = reclaimQueue;
        index = new HashIndex(memory);
    }

    /**
     * The hash by which the index has a batch's set. Keyed, because a router can choose sets whose hashes end alike.
     */
    public static int hash(RouteBatch batch, int set) {
        int from = batch.attributesFrom(set);
        int length = batch.attributesTo(set) - from;
        return KeyedHash.fold(KeyedHash.of(length, batch.bytes(), from, length));
    }

    /**
     * Returns the id of a batch's set, 0 if the shard does not have it.
     *
     * @param hash the set's {@link #hash}
     */
    public int find(int hash, RouteBatch batch, int set) {
        byte[] b = batch.bytes();
        int from = batch.attributesFrom(set);
        int to = batch.attributesTo(set);
        long[] part = index.part(hash);
        int slot = HashIndex.home(part, hash);
        for (long entry = HashIndex.slot(part, slot); entry != 0; entry = HashIndex.slot(part, slot)) {
            if (HashIndex.hasHash(entry, hash) && is(HashIndex.id(entry), b, from, to)) {
                return HashIndex.id(entry);
            }
            slot = HashIndex.nextSlot(part, slot);
        }
        return 0;
    }

    /** Returns the id of a set with the same {@link #hash}, most likely the same set; 0 if there is none. */
    public int findByHash(int hash) {
        long[] part = index.part(hash);
        int slot = HashIndex.home(part, hash);
        long entry = HashIndex.slot(part, slot);
        while (entry != 0 && !HashIndex.hasHash(entry, hash)) {
            slot = HashIndex.nextSlot(part, slot);
            entry = HashIndex.slot(part, slot);
        }
        return HashIndex.id(entry);
    }

    /**
     * Loads the index slot of the set with this {@link #hash} into the caches.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the load
     */
    public int touch(int hash) {
        return index.touch(hash);
    }

    /**
     * Loads the beginnings of several sets into the caches.
     *
     * @param sets ids; complements of {@link RouteExtras extras} are skipped
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    public int touchHeads(int[] sets, int count) {
        int touched = 0;
        for (int i = 0; i < count; i++) {
            if (sets[i] > 0) {
                byte[] b = bytes(sets[i]);
                int at = ByteSlab.offset(sets[i]);
                touched += b[at] + b[at + HASH];
            }
        }
        return touched;
    }

    /**
     * Loads all of a set that probably has this many bytes into the caches.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    public int touchAll(int set, int length) {
        byte[] b = bytes(set);
        int at = ByteSlab.offset(set);
        int touched = b[at] + b[Math.min(at + HEADER + length, b.length) - 1];
        for (int i = LINE; i < length; i += LINE) {
            touched += b[Math.min(at + i, b.length - 1)];
        }
        return touched;
    }

    /** Returns whether a set is equal to a batch's set. */
    public boolean is(int id, RouteBatch batch, int set) {
        return is(id, batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
    }

    private boolean is(int id, byte[] b, int from, int to) {
        int at = from(id);
        int length = to - from;
        return length(id) == length && same(bytes(id), at, b, from, length);
    }

    /**
     * Compares bytes eight at a time. The last eight overlap the ones before: sets are short and of many lengths, and a
     * loop over single bytes at the end costs more.
     */
    private static boolean same(byte[] a, int at, byte[] b, int from, int length) {
        if (length < Long.BYTES) {
            return Arrays.equals(a, at, at + length, b, from, from + length);
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (BigEndian.i64(a, at + i) != BigEndian.i64(b, from + i)) {
                return false;
            }
        }
        return BigEndian.i64(a, at + last) == BigEndian.i64(b, from + last);
    }

    /** Adds a set for which {@link #find} has just returned 0. */
    public int add(int hash, RouteBatch batch, int set) {
        byte[] b = batch.bytes();
        int from = batch.attributesFrom(set);
        int to = batch.attributesTo(set);
        int id = slab.claim(HEADER + to - from);
        byte[] block = slab.bytes(id);
        int at = ByteSlab.offset(id);
        long origin = CanonicalSet.origin(b, from, to);
        BigEndian.putU32(block, at, 0);
        BigEndian.putU32(block, at + ORIGIN, (int) origin);
        int kept = (hash >>> LOWEST_KEPT_BIT & DESCRIPTION_HASH_MASK) << LENGTH_BITS;
        BigEndian.putU32(block, at + DESCRIPTION, (origin < 0 ? 0 : HAS_ORIGIN) | kept | to - from);
        block[at + HASH] = (byte) (hash >>> 24);
        System.arraycopy(b, from, block, at + HEADER, to - from);
        addCandidate(id);
        index.add(hash, id);
        return id;
    }

    public void hold(int id) {
        BigEndian.putU32(bytes(id), ByteSlab.offset(id), references(id) + 1);
    }

    public void drop(int id) {
        int left = references(id) - 1;
        BigEndian.putU32(bytes(id), ByteSlab.offset(id), left);
        if (left == 0) {
            addCandidate(id);
        }
    }

    private void addCandidate(int id) {
        byte[] block = bytes(id);
        int at = ByteSlab.offset(id) + DESCRIPTION;
        int description = BigEndian.i32(block, at);
        if ((description & CANDIDATE) != 0) {
            return;
        }
        BigEndian.putU32(block, at, description | CANDIDATE);
        if (state[CANDIDATE_COUNT] == candidates.length) {
            candidates = Arrays.copyOf(candidates, state[CANDIDATE_COUNT] * 2);
        }
        candidates[state[CANDIDATE_COUNT]++] = id;
    }

    /** Removes the sets that no route has, in groups whose index slots are prefetched together. */
    public void removeUnused() {
        for (int from = 0; from < state[CANDIDATE_COUNT]; from += BATCH) {
            int to = Math.min(state[CANDIDATE_COUNT], from + BATCH);
            int left = 0;
            for (int i = from; i < to; i++) {
                int id = candidates[i];
                BigEndian.putU32(bytes(id), ByteSlab.offset(id) + DESCRIPTION, description(id) & ~CANDIDATE);
                if (references(id) == 0) {
                    leaving[left] = id;
                    hashes[left++] = keptHash(id);
                }
            }
            for (int i = 0; i < left; i++) {
                state[SINK] += index.touch(hashes[i]);
            }
            for (int i = 0; i < left; i++) {
                remove(leaving[i], hashes[i]);
            }
        }
        state[CANDIDATE_COUNT] = 0;
    }

    /** The hash with 0 for the bits that are not kept. */
    private int keptHash(int id) {
        return bytes(id)[ByteSlab.offset(id) + HASH] << 24
                | (description(id) >>> LENGTH_BITS & DESCRIPTION_HASH_MASK) << LOWEST_KEPT_BIT;
    }

    private void remove(int id, int keptHash) {
        index.remove(keptHash, id);
        reclaimQueue.add(ReclaimQueue.BYTES, id, HEADER + length(id));
    }

    /** Adds to the number of routes of the set's origin AS. */
    public void count(int id, int routes) {
        if ((description(id) & HAS_ORIGIN) != 0) {
            origins.count(BigEndian.i32(bytes(id), ByteSlab.offset(id) + ORIGIN), routes);
        }
    }

    /** The number of routes that have the set. */
    public int references(int id) {
        return BigEndian.i32(bytes(id), ByteSlab.offset(id));
    }

    /** The segment that contains the set's canonical bytes. */
    public byte[] bytes(int id) {
        return slab.bytes(id);
    }

    /** The offset of the set's canonical bytes in its segment. */
    public static int from(int id) {
        return ByteSlab.offset(id) + HEADER;
    }

    public int length(int id) {
        return description(id) & LENGTH;
    }

    /** The origin AS of the path as {@link CanonicalSet#origin} finds it, without reading the path; -1 without one. */
    public long origin(int id) {
        return (description(id) & HAS_ORIGIN) == 0 ? -1 : BigEndian.u32(bytes(id), ByteSlab.offset(id) + ORIGIN);
    }

    private int description(int id) {
        return BigEndian.i32(bytes(id), ByteSlab.offset(id) + DESCRIPTION);
    }

    /** Returns whether two sets have the same AS path and the same next hop. */
    public boolean samePathAndNextHop(int one, int other) {
        return one == other
                || CanonicalSet.samePathAndNextHop(
                        bytes(one),
                        from(one),
                        from(one) + length(one),
                        bytes(other),
                        from(other),
                        from(other) + length(other));
    }

    /** The number of distinct sets. */
    public int size() {
        return index.size();
    }

    /**
     * Visits the sets in one of the {@link HashIndex#PARTS} parts of the index, prefetching several together. Must be
     * called within a reader's section.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the loads
     */
    public int forEach(int part, IntConsumer each) {
        int[] sets = index.ids(part);
        int touched = 0;
        for (int from = 0; from < sets.length; from += BATCH) {
            int to = Math.min(sets.length, from + BATCH);
            for (int i = from; i < to; i++) {
                touched += touchLines(sets[i]);
            }
            for (int i = from; i < to; i++) {
                each.accept(sets[i]);
            }
        }
        return touched;
    }

    private int touchLines(int id) {
        byte[] b = bytes(id);
        int at = ByteSlab.offset(id);
        return b[at] + b[Math.min(at + LINE, b.length - 1)] + b[Math.min(at + 2 * LINE, b.length - 1)];
    }
}
