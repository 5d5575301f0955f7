package dev.silkroute.rib.memory;

import dev.silkroute.net.BigEndian;
import org.jspecify.annotations.Nullable;

/**
 * An allocator for byte strings of up to half a MiB. A block is named by the number of the 4-byte unit it begins at; 0
 * stands for none.
 *
 * <pre>
 * unit &gt;&gt;&gt; 17           segment of 512 KiB, a byte[] that never moves
 * (unit &amp; 0x1FFFF) * 4  offset in the segment
 * free block            u32 unit of the next free block of the same size | unused
 * </pre>
 *
 * For example, an attribute set of 40 bytes claimed first gets unit 1: bytes 4 to 43 of segment 0, 10 units.
 *
 * <p>Blocks come in size classes (every 4 bytes up to 256, every 64 up to 1 KiB, powers of two beyond). Free blocks of
 * a class are linked through their first four bytes. A new block is taken from the free list of its class, else cut
 * from the end of the last segment, else, when memory is nearly used up, cut from a longer free block. At the bound
 * {@link #coalesce} joins neighbouring free blocks again.
 *
 * <p>One thread writes. A block may be released only when no reader can have it.
 */
public final class ByteSlab {
    static final int MAX_BYTES = 1 << 19;

    private static final int UNIT_SHIFT = 2;
    static final int SEGMENT_UNITS_SHIFT = 17;
    private static final int SEGMENT_UNITS = 1 << SEGMENT_UNITS_SHIFT;
    /** Bytes of the longest block. Unit 0 is not usable. */
    public static final int MAX_BLOCK_BYTES = SEGMENT_UNITS - 1 << UNIT_SHIFT;

    private static final int SMALL = 64;
    private static final int MEDIUM = 256;
    private static final int MEDIUM_STEP = 16;
    private static final int FIRST_LARGE = SMALL + (MEDIUM - SMALL) / MEDIUM_STEP;
    private static final int CLASSES = FIRST_LARGE + 10;

    // Indexes in state, which only the writer uses
    private static final int SEGMENTS = PaddedArrays.FIRST_INT;
    /** The next unit to cut from, in the last segment or in a free block that is being used up. */
    private static final int BUMP = SEGMENTS + 1;

    private static final int BUMP_END = SEGMENTS + 2;
    private static final int HEADS = SEGMENTS + 3;

    /** The element is null where a segment has been given back. */
    private final byte[] @Nullable [] segments;

    private final MemoryBudget memory;
    /** The counters above, then from {@link #HEADS} on the first free block of each size class, 0 if there is none. */
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

    /**
     * Returns whether a string can be stored without another segment, or with one that the reserve of the budget
     * allows.
     */
    public boolean hasRoom(int length) {
        int wanted = sizeClass(length);
        for (int c = wanted; c < CLASSES; c++) {
            if (state[HEADS + c] != 0) {
                return true;
            }
        }
        return state[BUMP_END] - state[BUMP] >= units(wanted) || !full() && memory.available() >= 3 * MAX_BYTES;
    }

    /**
     * Returns whether the ids for segments are nearly used up, however much memory is left: a slab has at most 8 GiB.
     */
    public boolean full() {
        return state[SEGMENTS] >= segments.length - 2;
    }

    /** Allocates a block and returns its unit. The content is undefined. */
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

    /**
     * Continues cutting from the shortest free block that is longer than a size class. Blocks that follow are cut from
     * it too, so that no remainders are left between them.
     *
     * @return whether there is such a block
     */
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

    /** The first usable unit of a segment. */
    private static int first(int segment) {
        return Math.max(1, segment << SEGMENT_UNITS_SHIFT);
    }

    /**
     * Joins neighbouring free blocks and gives back segments that are entirely free.
     *
     * @return the number of blocks visited, a measure of the time taken
     */
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

    /** The number of segments reserved. */
    public int segments() {
        return state[SEGMENTS];
    }

    /** The segment that a block is in. */
    @SuppressWarnings("NullAway") // the segment of an allocated block exists
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
