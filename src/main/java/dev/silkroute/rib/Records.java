package dev.silkroute.rib;

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
final class Records {
    static final int SEGMENT_INTS = 1 << 17;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int width;
    private final int shift;
    private final int mask;
    private final int[][] segments;
    private final Memory memory;

    private int next = 1;
    private int capacity;
    private int freeHead;
    private int free;

    Records(int width, Memory memory) {
        this.width = width;
        this.memory = memory;
        shift = 31 - Integer.numberOfLeadingZeros(SEGMENT_INTS / width);
        mask = (1 << shift) - 1;
        segments = new int[Math.min(memory.segments(segmentBytes()), 1 << 31 - shift)][];
    }

    long segmentBytes() {
        return ((long) width << shift) * Integer.BYTES;
    }

    /** A record with whatever was in it before. */
    int claim() {
        int id = freeHead;
        if (id != 0) {
            freeHead = get(id, 0);
            free--;
            return id;
        }
        ensure(next);
        return next++;
    }

    /** Makes room for the record of an id, for stores that name their records themselves. */
    void ensure(int id) {
        while (id >= capacity) {
            int segment = capacity >>> shift;
            segments[segment] = new int[width << shift];
            memory.reserve(segmentBytes());
            capacity = segment + 1 << shift;
        }
    }

    /** Gives a record back that nobody can reach. */
    void release(int id) {
        set(id, 0, freeHead);
        freeHead = id;
        free++;
    }

    /** Whether this many records can be claimed without another segment. */
    boolean room(int records) {
        return free + capacity - next >= records;
    }

    /** Whether a record can be claimed without going over the bound. */
    boolean fits() {
        return room(1) || memory.left() >= segmentBytes();
    }

    /** Whether the next record will be one that was released. */
    boolean hasReleased() {
        return freeHead != 0;
    }

    boolean covers(int id) {
        return id < capacity;
    }

    /** Records in use. */
    int used() {
        return next - 1 - free;
    }

    /** Ids that have been in use are below. */
    int limit() {
        return next;
    }

    int get(int id, int word) {
        return segments[id >>> shift][(id & mask) * width + word];
    }

    /** A word of some records at once, so that their memory is waited for together. @param ofName bits of the names that are ids */
    void get(int[] names, int count, int ofName, int word, int[] values) {
        int[][] all = segments;
        for (int i = 0; i < count; i++) {
            int id = names[i] & ofName;
            values[i] = all[id >>> shift][(id & mask) * width + word];
        }
    }

    int read(int id, int word) {
        return (int) INT.getAcquire(segments[id >>> shift], (id & mask) * width + word);
    }

    void set(int id, int word, int value) {
        segments[id >>> shift][(id & mask) * width + word] = value;
    }

    /** What was written before is seen by whoever reads this value. */
    void publish(int id, int word, int value) {
        INT.setRelease(segments[id >>> shift], (id & mask) * width + word, value);
    }
}
