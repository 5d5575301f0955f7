package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Records of a fixed number of ints, named by ids from 1 on, in segments of at most half a MiB that never move: a reader may hold an id while
 * the store grows.
 *
 * <pre>
 * id → segment id &gt;&gt;&gt; shift, ints (id &amp; mask) * width …
 * </pre>
 *
 * Heap arrays: the collector doesn't look into them, and they get huge pages where the JVM has them. One thread writes. What readers
 * reach is published with {@link #publish}; a record goes back ({@link #release}) only when no reader can have it, since its
 * first word then links free records.
 */
public final class RecordSlab {
    public static final int SEGMENT_INTS = 1 << 17;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    // The writer's numbers
    private static final int NEXT = PaddedArrays.FIRST_INT;
    private static final int CAPACITY = NEXT + 1;
    private static final int FREE_HEAD = NEXT + 2;
    private static final int FREE = NEXT + 3;

    private final int width;
    private final int shift;
    private final int mask;
    private final int[][] segments;
    private final MemoryBudget memory;

    private final int[] state = PaddedArrays.ints(4);

    public RecordSlab(int width, MemoryBudget memory) {
        this.width = width;
        this.memory = memory;
        shift = 31 - Integer.numberOfLeadingZeros(SEGMENT_INTS / width);
        mask = (1 << shift) - 1;
        state[NEXT] = 1;
        segments = new int[Math.min(memory.maxSegments(segmentBytes()), 1 << 31 - shift)][];
    }

    long segmentBytes() {
        return ((long) width << shift) * Integer.BYTES;
    }

    /** A record with whatever was in it before. */
    public int claim() {
        int id = state[FREE_HEAD];
        if (id != 0) {
            state[FREE_HEAD] = get(id, 0);
            state[FREE]--;
            return id;
        }
        ensure(state[NEXT]);
        return state[NEXT]++;
    }

    /** Makes room for the record of an id, for stores that name their records themselves. */
    public void ensure(int id) {
        while (id >= state[CAPACITY]) {
            int segment = state[CAPACITY] >>> shift;
            segments[segment] = new int[width << shift];
            memory.reserve(segmentBytes());
            state[CAPACITY] = segment + 1 << shift;
        }
    }

    /** Gives a record back that nobody can reach. */
    public void release(int id) {
        set(id, 0, state[FREE_HEAD]);
        state[FREE_HEAD] = id;
        state[FREE]++;
    }

    /** Whether this many records can be claimed without another segment. */
    public boolean hasRoom(int records) {
        return state[FREE] + state[CAPACITY] - state[NEXT] >= records;
    }

    /** Whether a record can be claimed without going over the bound. */
    public boolean canGrow() {
        return hasRoom(1) || memory.available() >= segmentBytes();
    }

    /** Whether the next record will be one that was released. */
    public boolean hasReleased() {
        return state[FREE_HEAD] != 0;
    }

    public boolean covers(int id) {
        return id < state[CAPACITY];
    }

    /** Records in use. */
    public int used() {
        return state[NEXT] - 1 - state[FREE];
    }

    /** Ids that have been in use are below. */
    public int limit() {
        return state[NEXT];
    }

    public int get(int id, int word) {
        return segments[id >>> shift][(id & mask) * width + word];
    }

    /** A word of some records at once, so that their memory is waited for together. @param idMask bits of the names that are ids */
    public void get(int[] names, int count, int idMask, int word, int[] values) {
        int[][] all = segments;
        for (int i = 0; i < count; i++) {
            int id = names[i] & idMask;
            values[i] = all[id >>> shift][(id & mask) * width + word];
        }
    }

    public int read(int id, int word) {
        return (int) INT.getAcquire(segments[id >>> shift], (id & mask) * width + word);
    }

    public void set(int id, int word, int value) {
        segments[id >>> shift][(id & mask) * width + word] = value;
    }

    /** What was written before is seen by whoever reads this value. */
    public void publish(int id, int word, int value) {
        INT.setRelease(segments[id >>> shift], (id & mask) * width + word, value);
    }
}
