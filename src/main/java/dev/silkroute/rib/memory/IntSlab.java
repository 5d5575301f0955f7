package dev.silkroute.rib.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An allocator for blocks of up to {@value #MAX_INTS} ints. A block is named by the number of the unit of 4 ints it
 * begins at; 0 stands for none.
 *
 * <pre>
 * unit &gt;&gt;&gt; 15          segment of 512 KiB, an int[] that never moves
 * (unit &amp; 0x7FFF) * 4  offset in the segment
 * free block           unit of the next free block of the same length | unused
 * </pre>
 *
 * For example, a trie node of 9 ints claimed first gets unit 1 and takes 3 units: ints 4 to 15 of segment 0.
 *
 * <p>There is a free list for every length in units, and a bitmap of the lengths that have free blocks. Where no free
 * block has the exact length, the next longer one is cut. At the bound {@link #coalesce} joins neighbouring free blocks
 * again.
 *
 * <p>One thread writes. A block may be released only when no reader can have it.
 */
public final class IntSlab {
    static final int MAX_INTS = 1024;

    private static final int UNIT_SHIFT = 2;
    private static final int SEGMENT_UNITS_SHIFT = 15;
    private static final int SEGMENT_UNITS = 1 << SEGMENT_UNITS_SHIFT;
    private static final long SEGMENT_BYTES = (long) SEGMENT_UNITS << UNIT_SHIFT + 2;
    /**
     * Bytes of the budget that are kept free, so that nodes that have to be replaced when prefixes are removed stay
     * within it.
     */
    public static final long RESERVE_BYTES = 3 * SEGMENT_BYTES;

    private static final int CLASSES = (MAX_INTS >>> UNIT_SHIFT) + 1;
    private static final int PRESENT_WORDS = (CLASSES + 63) / 64;

    // Indexes in state, which only the writer uses
    private static final int SEGMENTS = PaddedArrays.FIRST_INT;
    private static final int BUMP = SEGMENTS + 1;
    private static final int BUMP_END = SEGMENTS + 2;
    private static final int USED = SEGMENTS + 3;
    private static final int HEADS = SEGMENTS + 4;

    /**
     * The element is null where a segment has been given back. The array grows beyond what the budget allows if nodes
     * are replaced while a reader keeps the old ones from being reused.
     */
    private int[] @Nullable [] segments;

    private final MemoryBudget memory;
    /**
     * The counters above, then from {@link #HEADS} on the first free block of each length in units, 0 if there is none.
     */
    private final int[] state = PaddedArrays.ints(4 + CLASSES);
    /** Bitmap of the lengths in units that have free blocks. */
    private final long[] present = PaddedArrays.longs(PRESENT_WORDS);

    public IntSlab(MemoryBudget memory) {
        this.memory = memory;
        segments = new int[Math.min(memory.maxSegments(SEGMENT_BYTES), (1 << 31 - SEGMENT_UNITS_SHIFT) - 1)][];
    }

    private static int units(int ints) {
        return ints + (1 << UNIT_SHIFT) - 1 >>> UNIT_SHIFT;
    }

    /** Allocates a block and returns its unit. The content is undefined. */
    public int claim(int ints) {
        int units = units(ints);
        state[USED] += units;
        int at = nextPresent(units);
        if (at < CLASSES) {
            int ref = pop(at);
            if (at > units) {
                push(ref + units, at - units);
            }
            return ref;
        }
        if (state[BUMP_END] - state[BUMP] < units) {
            addSegment();
        }
        int ref = state[BUMP];
        state[BUMP] += units;
        return ref;
    }

    private void addSegment() {
        if (state[BUMP_END] > state[BUMP]) {
            push(state[BUMP], state[BUMP_END] - state[BUMP]);
        }
        int segment = 0;
        while (segment < segments.length && segments[segment] != null) {
            segment++;
        }
        if (segment == segments.length) {
            segments = Arrays.copyOf(segments, segment * 2);
        }
        segments[segment] = new int[SEGMENT_UNITS << UNIT_SHIFT];
        memory.reserve(SEGMENT_BYTES);
        state[BUMP] = first(segment);
        state[BUMP_END] = segment + 1 << SEGMENT_UNITS_SHIFT;
        state[SEGMENTS]++;
    }

    /** The first usable unit of a segment. */
    private static int first(int segment) {
        return Math.max(1, segment << SEGMENT_UNITS_SHIFT);
    }

    public void release(int ref, int ints) {
        state[USED] -= units(ints);
        push(ref, units(ints));
    }

    /**
     * Returns whether blocks of this many ints in all can be allocated without another segment, or with one that the
     * reserve of the budget allows.
     */
    public boolean hasRoom(int ints) {
        return state[BUMP_END] - state[BUMP] >= units(ints)
                || memory.available() >= RESERVE_BYTES
                || maxBlocksCover(units(ints));
    }

    /** Returns whether the free blocks of maximum length have this many units in all. */
    private boolean maxBlocksCover(int units) {
        int left = units;
        for (int ref = state[HEADS + CLASSES - 1]; ref != 0 && left > 0; ref = segment(ref)[offset(ref)]) {
            left -= CLASSES - 1;
        }
        return left <= 0;
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
        for (int units = nextPresent(0); units < CLASSES; units = nextPresent(units)) {
            free.add(pop(units), units);
        }
        for (int segment = 0; segment < segments.length; segment++) {
            int end = segment + 1 << SEGMENT_UNITS_SHIFT;
            if (segments[segment] != null && free.all(first(segment), end)) {
                segments[segment] = null;
                state[SEGMENTS]--;
                memory.reserve(-SEGMENT_BYTES);
            } else {
                free.runs(first(segment), end, this::freeRun);
            }
        }
        return free.blocks();
    }

    private void freeRun(int from, int units) {
        for (int done = 0; done < units; done += CLASSES - 1) {
            push(from + done, Math.min(CLASSES - 1, units - done));
        }
    }

    private int nextPresent(int units) {
        int word = units >>> 6;
        long bits = present[PaddedArrays.FIRST_LONG + word] & -1L << (units & 63);
        while (bits == 0) {
            if (++word == PRESENT_WORDS) {
                return CLASSES;
            }
            bits = present[PaddedArrays.FIRST_LONG + word];
        }
        return word << 6 | Long.numberOfTrailingZeros(bits);
    }

    private int pop(int units) {
        int ref = state[HEADS + units];
        int next = segment(ref)[offset(ref)];
        state[HEADS + units] = next;
        if (next == 0) {
            present[PaddedArrays.FIRST_LONG + (units >>> 6)] &= ~(1L << (units & 63));
        }
        return ref;
    }

    private void push(int ref, int units) {
        segment(ref)[offset(ref)] = state[HEADS + units];
        state[HEADS + units] = ref;
        present[PaddedArrays.FIRST_LONG + (units >>> 6)] |= 1L << (units & 63);
    }

    /** The segment that a block is in. */
    @SuppressWarnings("NullAway") // the segment of an allocated block exists
    public int[] segment(int ref) {
        return segments[ref >>> SEGMENT_UNITS_SHIFT];
    }

    public static int offset(int ref) {
        return (ref & SEGMENT_UNITS - 1) << UNIT_SHIFT;
    }

    /** The number of segments reserved. */
    public int segments() {
        return state[SEGMENTS];
    }

    /** Ints in use, rounded up to units. */
    public int used() {
        return state[USED] << UNIT_SHIFT;
    }
}
