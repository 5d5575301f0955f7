package dev.silkroute.rib.memory;

import dev.silkroute.net.BigEndian;
import org.jspecify.annotations.Nullable;

/**
 * Byte strings of up to half a MiB, named by the number of the 4-byte unit they begin at. Blocks come in sizes (every 4 bytes up to 256, every 64 up to 1 KiB,
 * powers of two beyond), free ones of a size are linked through their first four bytes, and a larger one is cut where there is none of
 * the size and hardly memory for another segment; what was cut is joined when memory is at its end ({@link #join}). One thread writes; segments never move. A block
 * goes back only when no reader can have it.
 */
public final class ByteSlab {
    static final int MAX_BYTES = 1 << 19;

    private static final int UNIT_SHIFT = 2;
    static final int SEGMENT_UNITS_SHIFT = 17;
    private static final int SEGMENT_UNITS = 1 << SEGMENT_UNITS_SHIFT;
    /** Bytes of the longest block: unit 0 stands for none. */
    public static final int MAX_BLOCK_BYTES = SEGMENT_UNITS - 1 << UNIT_SHIFT;

    private static final int SMALL = 64;
    private static final int MEDIUM = 256;
    private static final int MEDIUM_STEP = 16;
    private static final int FIRST_LARGE = SMALL + (MEDIUM - SMALL) / MEDIUM_STEP;
    private static final int CLASSES = FIRST_LARGE + 10;

    // The writer's numbers
    private static final int SEGMENTS = PaddedArrays.FIRST_INT;
    /** Next unit of what blocks are cut from: the last segment, or a free block. */
    private static final int BUMP = SEGMENTS + 1;

    private static final int BUMP_END = SEGMENTS + 2;
    private static final int HEADS = SEGMENTS + 3;

    /** Null where a segment has been given back. */
    private final byte[] @Nullable [] segments;

    private final MemoryBudget memory;
    /** Unit of the first free block of each size, after {@link #HEADS}; 0 is none. Before it the other numbers. */
    private final int[] state = PaddedArrays.ints(3 + CLASSES);

    private final Counter usedUnits = new Counter();

    public ByteSlab(MemoryBudget memory) {
        this.memory = memory;
        segments = new byte[Math.min(memory.maxSegments(MAX_BYTES), (1 << 31 - SEGMENT_UNITS_SHIFT) - 1)][];
    }

    public static long segmentBytes() {
        return MAX_BYTES;
    }

    private static int sizeClass(int length) {
        int units = Math.max(1, length + 3 >>> UNIT_SHIFT);
        if (units <= SMALL) {
            return units;
        }
        if (units <= MEDIUM) {
            return SMALL + (units - SMALL + MEDIUM_STEP - 1) / MEDIUM_STEP;
        }
        return FIRST_LARGE + Math.min(9, 32 - Integer.numberOfLeadingZeros(units - 1) - 8);
    }

    private static int units(int sizeClass) {
        if (sizeClass <= SMALL) {
            return sizeClass;
        }
        return sizeClass <= FIRST_LARGE
                ? SMALL + (sizeClass - SMALL) * MEDIUM_STEP
                : Math.min(MEDIUM << sizeClass - FIRST_LARGE, SEGMENT_UNITS - 1);
    }

    /** Whether a string of this length can be stored without another segment, or what is kept back of the bound is enough for one. */
    public boolean hasRoom(int length) {
        int wanted = sizeClass(length);
        for (int c = wanted; c < CLASSES; c++) {
            if (state[HEADS + c] != 0) {
                return true;
            }
        }
        return state[BUMP_END] - state[BUMP] >= units(wanted) || !full() && memory.available() >= 3 * MAX_BYTES;
    }

    /** Whether there are hardly ids for another segment, whatever memory is left: a slab is at most 8 GiB. */
    public boolean full() {
        return state[SEGMENTS] >= segments.length - 2;
    }

    /** The first unit of a block for a string. */
    public int claim(int length) {
        int sizeClass = sizeClass(length);
        int units = units(sizeClass);
        usedUnits.add(units);
        int free = pop(sizeClass);
        if (free != 0) {
            return free;
        }
        if (state[BUMP_END] - state[BUMP] < units
                && (memory.available() >= MAX_BYTES + IntSlab.RESERVE_BYTES || !cutLonger(sizeClass))) {
            addSegment();
        }
        int ref = state[BUMP];
        state[BUMP] += units;
        return ref;
    }

    /** What follows is cut from a free block that is longer, one after the other, so that nothing is left between. @return whether there is one */
    private boolean cutLonger(int sizeClass) {
        for (int c = sizeClass + 1; c < CLASSES; c++) {
            int ref = pop(c);
            if (ref != 0) {
                freeRun(state[BUMP], state[BUMP_END] - state[BUMP]);
                state[BUMP] = ref;
                state[BUMP_END] = ref + units(c);
                return true;
            }
        }
        return false;
    }

    private void addSegment() {
        freeRun(state[BUMP], state[BUMP_END] - state[BUMP]);
        int segment = 0;
        while (segments[segment] != null) {
            segment++;
        }
        segments[segment] = new byte[MAX_BYTES];
        memory.reserve(MAX_BYTES);
        state[BUMP] = first(segment);
        state[BUMP_END] = segment + 1 << SEGMENT_UNITS_SHIFT;
        state[SEGMENTS]++;
    }

    /** Unit 0 stands for none. */
    private static int first(int segment) {
        return Math.max(1, segment << SEGMENT_UNITS_SHIFT);
    }

    /** Joins free blocks that lie side by side, and gives back segments that no block is in. @return how many blocks were looked at */
    public int coalesce() {
        FreeUnits free = new FreeUnits();
        free.add(state[BUMP], state[BUMP_END] - state[BUMP]);
        state[BUMP] = 0;
        state[BUMP_END] = 0;
        for (int c = 1; c < CLASSES; c++) {
            for (int ref = pop(c); ref != 0; ref = pop(c)) {
                free.add(ref, units(c));
            }
        }
        for (int segment = 0; segment < segments.length; segment++) {
            int end = segment + 1 << SEGMENT_UNITS_SHIFT;
            if (segments[segment] != null && free.all(first(segment), end)) {
                segments[segment] = null;
                state[SEGMENTS]--;
                memory.reserve(-MAX_BYTES);
            } else {
                free.runs(first(segment), end, this::freeRun);
            }
        }
        return free.blocks();
    }

    public void release(int ref, int length) {
        int sizeClass = sizeClass(length);
        usedUnits.add(-units(sizeClass));
        push(ref, sizeClass);
    }

    private void freeRun(int from, int count) {
        int ref = from;
        int left = count;
        while (left > 0) {
            int c = sizeClass(left << UNIT_SHIFT);
            while (units(c) > left) {
                c--;
            }
            push(ref, c);
            ref += units(c);
            left -= units(c);
        }
    }

    private int pop(int sizeClass) {
        int ref = state[HEADS + sizeClass];
        if (ref != 0) {
            state[HEADS + sizeClass] = BigEndian.i32(bytes(ref), offset(ref));
        }
        return ref;
    }

    private void push(int ref, int sizeClass) {
        BigEndian.putU32(bytes(ref), offset(ref), state[HEADS + sizeClass]);
        state[HEADS + sizeClass] = ref;
    }

    /** Segments that are reserved. */
    public int segments() {
        return state[SEGMENTS];
    }

    /** The array that a block is in. */
    @SuppressWarnings("NullAway") // the segment of a block is there
    public byte[] bytes(int ref) {
        return segments[ref >>> SEGMENT_UNITS_SHIFT];
    }

    public static int offset(int ref) {
        return (ref & SEGMENT_UNITS - 1) << UNIT_SHIFT;
    }

    public long usedBytes() {
        return usedUnits.get() << UNIT_SHIFT;
    }
}
