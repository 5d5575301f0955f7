package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Records of a fixed number of ints, named by ids from 1 on, in segments of at most half a MiB that never move: a
 * reader can use an id while the slab grows.
 *
 * <pre>
 * id &gt;&gt;&gt; shift            segment, an int[]
 * (id &amp; mask) * width     first int of the record in the segment
 *
 * width 4 (routes): shift 15, so record 0x41 is ints 260 to 263 of segment 0
 * </pre>
 *
 * Segments are heap arrays of primitives: the garbage collector does not scan them, and they get huge pages where the
 * JVM uses them.
 *
 * <p>One thread writes. What readers follow is written with {@link #publish} and read with {@link #read}. A record may
 * be {@link #release released} only when no reader can have it, because its first int then links the free records.
 */
public final class RecordSlab {
    public static final int SEGMENT_INTS = 1 << 17;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    // Indexes in state, which only the writer uses
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

    /** Allocates a record and returns its id. The content is undefined. */
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

    /** Reserves the segment of an id, for slabs whose users assign the ids. */
    public void ensure(int id) {
        while (id >= state[CAPACITY]) {
            int segment = state[CAPACITY] >>> shift;
            segments[segment] = new int[width << shift];
            memory.reserve(segmentBytes());
            state[CAPACITY] = segment + 1 << shift;
        }
    }

    /** Frees a record that no reader can reach. */
    public void release(int id) {
        set(id, 0, state[FREE_HEAD]);
        state[FREE_HEAD] = id;
        state[FREE]++;
    }

    /** Returns whether this many records can be claimed without another segment. */
    public boolean hasRoom(int records) {
        return state[FREE] + state[CAPACITY] - state[NEXT] >= records;
    }

    /** Returns whether a record can be claimed within the budget. */
    public boolean canGrow() {
        return hasRoom(1) || memory.available() >= segmentBytes();
    }

    /** Returns whether the next record claimed will be a released one. */
    public boolean hasReleased() {
        return state[FREE_HEAD] != 0;
    }

    public boolean covers(int id) {
        return id < state[CAPACITY];
    }

    /** The number of records in use. */
    public int used() {
        return state[NEXT] - 1 - state[FREE];
    }

    /** The lowest id that has never been in use. */
    public int limit() {
        return state[NEXT];
    }

    public int get(int id, int word) {
        return segments[id >>> shift][(id & mask) * width + word];
    }

    /**
     * Reads one word of several records, so that their cache misses overlap.
     *
     * @param idMask the bits of a name that are the record's id
     */
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

    /**
     * Writes a word with release semantics: a thread that {@link #read reads} it also sees everything written before.
     */
    public void publish(int id, int word, int value) {
        INT.setRelease(segments[id >>> shift], (id & mask) * width + word, value);
    }
}
