package dev.silkroute.rib.memory;

import dev.silkroute.net.KeyedHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A hash index from 32-bit hashes to record ids: open addressing with linear probing, in 256 parts that grow one by
 * one, so that growing never takes long. Callers compare the keys themselves.
 *
 * <pre>
 * part   the upper 8 bits of the hash
 *        long 0: version | then slots of one long each: hash (32 bits) | id (32 bits), 0 if free
 * home   lower 24 bits of the hash * slots &gt;&gt;&gt; 24
 *
 * hash 0x9A3C51E7, id 0x21: part 0x9A; with 4 slots its home is 0x3C51E7 * 4 &gt;&gt;&gt; 24 = slot 0,
 * which holds 0x9A3C51E7_00000021
 * </pre>
 *
 * Slots are ordered by hash, so a part can grow by a quarter in one pass; between three fifths and three quarters of
 * the slots are taken.
 *
 * <p>One thread writes. Readers need no lock: an entry found is valid if its key is equal. That nothing was found holds
 * only if {@link #unchanged} confirms it, because a removal moves entries.
 */
public final class HashIndex {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(long[][].class);
    public static final int PARTS = 256;
    private static final int INITIAL_SLOTS = 4;
    private static final long[] EMPTY = {0, 0};

    private static final long FACTOR = 0xD6E8FEB86659FD93L;
    private static final long SECRET = KeyedHash.of(4, 0);

    private final long[][] parts = new long[PARTS][];
    private final int[] sizes = new int[PARTS];
    private final MemoryBudget memory;
    private final Counter size = new Counter();

    public HashIndex(MemoryBudget memory) {
        this.memory = memory;
        Arrays.fill(parts, EMPTY);
    }

    /** Returns the hash of a key; keyed, because parts of the key, such as path identifiers, come from routers. */
    public static int mix(long key) {
        return mix(key, SECRET);
    }

    static int mix(long key, long secret) {
        long h = key ^ secret;
        h = (h ^ h >>> 32) * FACTOR;
        h = (h ^ h >>> 32) * FACTOR;
        return (int) (h ^ h >>> 32);
    }

    /**
     * Returns the part of a hash. Its slots are probed from {@link #home} on with {@link #slot} and {@link #nextSlot}
     * until one is 0.
     */
    public long[] part(int hash) {
        return (long[]) PART.getAcquire(parts, hash >>> 24);
    }

    public static int home(long[] part, int hash) {
        return (int) ((long) (hash << 8 >>> 8) * (part.length - 1) >>> 24);
    }

    /**
     * Loads the home slot of a hash into the caches.
     *
     * @return a dummy value that keeps the JIT compiler from eliminating the load
     */
    public int touch(int hash) {
        long[] part = part(hash);
        return id(slot(part, home(part, hash)));
    }

    public static int nextSlot(long[] part, int slot) {
        return slot + 2 < part.length ? slot + 1 : 0;
    }

    public static long slot(long[] part, int slot) {
        return (long) LONG.getAcquire(part, slot + 1);
    }

    public static boolean hasHash(long slot, int hash) {
        return (int) (slot >>> 32) == hash;
    }

    public static int id(long slot) {
        return (int) slot;
    }

    /** Returns the part's version, to be read before probing. */
    public static long version(long[] part) {
        return (long) LONG.getAcquire(part, 0);
    }

    /**
     * Returns whether no entry has been moved since {@link #version} was read, so that an entry that was not found does
     * not exist.
     */
    public boolean unchanged(int hash, long[] part, long version) {
        VarHandle.loadLoadFence();
        return (long) LONG.getOpaque(part, 0) == version && part(hash) == part;
    }

    public int size() {
        return (int) size.get();
    }

    /**
     * Adds to a number that is stored in place of an id; the entry exists while the number is not 0. For hashes that
     * are unique keys.
     */
    public void count(int hash, int more) {
        long[] part = parts[hash >>> 24];
        int slot = home(part, hash);
        long entry = part[slot + 1];
        while (entry != 0 && !hasHash(entry, hash)) {
            slot = nextSlot(part, slot);
            entry = part[slot + 1];
        }
        int sum = id(entry) + more;
        if (entry == 0) {
            add(hash, sum);
        } else if (sum == 0) {
            clear(hash >>> 24, slot);
        } else {
            LONG.setRelease(part, slot + 1, (long) hash << 32 | Integer.toUnsignedLong(sum));
        }
    }

    /** Returns the ids in a part. Entries that are added, removed or moved meanwhile may be missing or appear twice. */
    public int[] ids(int ofPart) {
        long[] part = (long[]) PART.getAcquire(parts, ofPart);
        int[] ids = new int[part.length - 1];
        int count = 0;
        for (int slot = 0; slot < ids.length; slot++) {
            long entry = slot(part, slot);
            if (entry != 0) {
                ids[count++] = id(entry);
            }
        }
        return Arrays.copyOf(ids, count);
    }

    public void add(int hash, int id) {
        int p = hash >>> 24;
        long[] part = parts[p];
        if ((sizes[p] + 1) * 4 > (part.length - 1) * 3) {
            part = grow(p, part);
        }
        insert(part, (long) hash << 32 | Integer.toUnsignedLong(id));
        sizes[p]++;
        size.add(1);
    }

    private static void insert(long[] part, long entry) {
        int slot = home(part, (int) (entry >>> 32));
        while (part[slot + 1] != 0) {
            slot = nextSlot(part, slot);
        }
        LONG.setRelease(part, slot + 1, entry);
    }

    private long[] grow(int p, long[] old) {
        int slots = old == EMPTY ? INITIAL_SLOTS : (old.length - 1) * 5 / 4;
        long[] grown = new long[slots + 1];
        for (int i = 1; i < old.length; i++) {
            if (old[i] != 0) {
                insert(grown, old[i]);
            }
        }
        memory.reserve((grown.length - (old == EMPTY ? 0 : old.length)) * (long) Long.BYTES);
        PART.setRelease(parts, p, grown);
        return grown;
    }

    /**
     * Removes an entry and moves the entries after it that linear probing displaced. Each move is one store, after a
     * new version. An entry is stored in its new slot before its old slot is overwritten, so a search within one
     * version finds it even while this thread is suspended.
     *
     * @param hash the hash of the entry; only the upper 8 bits have to be right, and lower bits may be 0: homes are
     *     ordered by hash, so the search then begins before the entry's home and still reaches it
     * @param id the id, which must have no other entry in the part
     */
    public void remove(int hash, int id) {
        int p = hash >>> 24;
        long[] part = parts[p];
        int slot = home(part, hash);
        while (id(part[slot + 1]) != id) {
            slot = nextSlot(part, slot);
        }
        clear(p, slot);
    }

    private void clear(int p, int slot) {
        long[] part = parts[p];
        int hole = slot;
        int slots = part.length - 1;
        for (int i = nextSlot(part, hole); part[i + 1] != 0; i = nextSlot(part, i)) {
            int home = home(part, (int) (part[i + 1] >>> 32));
            if (distance(home, i, slots) >= distance(hole, i, slots)) {
                storeVersioned(part, hole, part[i + 1]);
                hole = i;
            }
        }
        storeVersioned(part, hole, 0);
        sizes[p]--;
        size.add(-1);
    }

    private static int distance(int from, int to, int slots) {
        return to >= from ? to - from : to - from + slots;
    }

    private static void storeVersioned(long[] part, int slot, long entry) {
        LONG.setRelease(part, 0, part[0] + 1);
        LONG.setRelease(part, slot + 1, entry);
    }
}
