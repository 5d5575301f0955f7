package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * From a hash to the ids of records: open addressing in 256 parts that grow each by itself, so that growing is never a long pause.
 *
 * <pre>
 * part: long 0 version, then slots: hash (32) | id (32); 0 is free
 * </pre>
 *
 * The caller compares keys. One thread writes; readers need no lock: an id found is right if its key is, and that nothing was found is right
 * if {@link #unchanged} says so, for a removal moves entries. Slots are in the order of hashes, so that
 * a part can grow by a quarter; from three fifths to three quarters of them are taken.
 */
public final class HashIndex {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(long[][].class);
    public static final int PARTS = 256;
    private static final int INITIAL_SLOTS = 4;
    private static final long[] EMPTY = {0, 0};

    private static final long FACTOR = 0xD6E8FEB86659FD93L;

    private final long[][] parts = new long[PARTS][];
    private final int[] sizes = new int[PARTS];
    private final MemoryBudget memory;
    private final Counter size = new Counter();

    public HashIndex(MemoryBudget memory) {
        this.memory = memory;
        Arrays.fill(parts, EMPTY);
    }

    public static int mix(long key) {
        long h = key;
        h = (h ^ h >>> 32) * FACTOR;
        h = (h ^ h >>> 32) * FACTOR;
        return (int) (h ^ h >>> 32);
    }

    /** The part that a hash is in; slots are probed from {@link #home} on with {@link #slot} until one is 0. */
    public long[] part(int hash) {
        return (long[]) PART.getAcquire(parts, hash >>> 24);
    }

    public static int home(long[] part, int hash) {
        return (int) ((long) (hash << 8 >>> 8) * (part.length - 1) >>> 24);
    }

    /** Loads where a hash is. */
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

    /** To be read before probing. */
    public static long version(long[] part) {
        return (long) LONG.getAcquire(part, 0);
    }

    /** Whether nothing has moved since {@link #version} was read, so that what was not found is not there. */
    public boolean unchanged(int hash, long[] part, long version) {
        VarHandle.loadLoadFence();
        return (long) LONG.getOpaque(part, 0) == version && part(hash) == part;
    }

    public int size() {
        return (int) size.get();
    }

    /** Adds to a number that stands in the place of an id; at 0 it isn't there. For hashes that are keys by themselves. */
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

    /** The ids that are there in a part; of those that come, go or are moved meanwhile some, perhaps twice. */
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
     * Removes an entry that is there, and moves those behind it that it kept from their place. Each step is one store, after a new version: an entry is in its
     * new slot before another takes its old one, so a search within one version finds it, even if this thread is stopped here.
     *
     * @param hash its upper 8 bits, and as many of the others as are known, the lower ones 0: homes are in the order of hashes, so it is sought from before its own
     * @param id which has no other entry
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
