package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Pairs of ints, each written with one store and read with one load, so that a reader never has the first int of one
 * pair with the second int of another. The ids are those of a {@link RecordSlab}'s records, whose user asks for
 * segments with {@link #ensure}.
 *
 * <pre>
 * id &gt;&gt;&gt; 16      segment of 512 KiB, a long[] that never moves
 * id &amp; 0xFFFF    index in the segment: first int (upper 32 bits) | second int
 *
 * the pair 0x41, 1 of id 3 is 0x00000041_00000001, long 3 of segment 0
 * </pre>
 *
 * <p>One thread writes, any thread reads.
 */
public final class PairSlab {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SHIFT = 16;
    private static final int MASK = (1 << SHIFT) - 1;
    static final long SEGMENT_BYTES = (long) Long.BYTES << SHIFT;

    private final long[][] segments;
    private final MemoryBudget memory;
    private int segmentCount;

    public PairSlab(MemoryBudget memory) {
        this.memory = memory;
        segments = new long[Math.min(memory.maxSegments(SEGMENT_BYTES), 1 << 31 - SHIFT)][];
    }

    /** Reserves the segment of an id. */
    public void ensure(int id) {
        while (!covers(id)) {
            segments[segmentCount++] = new long[1 << SHIFT];
            memory.reserve(SEGMENT_BYTES);
        }
    }

    /** Returns whether the segment of an id is reserved. */
    public boolean covers(int id) {
        return id >>> SHIFT < segmentCount;
    }

    public static long pair(int first, int second) {
        return (long) first << 32 | Integer.toUnsignedLong(second);
    }

    public static int first(long pair) {
        return (int) (pair >>> 32);
    }

    public static int second(long pair) {
        return (int) pair;
    }

    /** Reads a pair without ordering, for the writer. */
    public long get(int id) {
        return segments[id >>> SHIFT][id & MASK];
    }

    /** Reads a pair; the reader also sees everything that was written before {@link #publish}. */
    public long read(int id) {
        return (long) LONG.getAcquire(segments[id >>> SHIFT], id & MASK);
    }

    public void publish(int id, long pair) {
        LONG.setRelease(segments[id >>> SHIFT], id & MASK, pair);
    }
}
