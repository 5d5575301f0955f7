package dev.silkroute.rib;

import java.util.Arrays;

/**
 * Blocks of ints of any length up to {@link #LONGEST}, named by the number of the unit of 4 ints they begin at, in segments that never move. Free blocks of
 * a length are linked through their first int; where there is none of the length wanted, a longer one is cut. One thread writes; a block goes back only when no
 * reader can have it.
 */
final class IntSlab {
    static final int LONGEST = 1024;

    private static final int UNIT_SHIFT = 2;
    private static final int SEGMENT_UNITS_SHIFT = 15;
    private static final int SEGMENT_UNITS = 1 << SEGMENT_UNITS_SHIFT;
    private static final long SEGMENT_BYTES = (long) SEGMENT_UNITS << UNIT_SHIFT + 2;
    private static final int CLASSES = (LONGEST >>> UNIT_SHIFT) + 1;

    /** More than the bound has room for where nodes are made anew while a reader keeps the old ones. */
    private int[][] segments;

    private final Memory memory;
    /** First free block by its units; 0 is none. */
    private final int[] heads = new int[CLASSES];
    /** Which lengths there are free blocks of. */
    private final long[] present = new long[(CLASSES + 63) / 64];

    private int segmentCount;
    private int bump;
    private int bumpEnd;
    private int used;

    IntSlab(Memory memory) {
        this.memory = memory;
        segments = new int[Math.min(memory.segments(SEGMENT_BYTES), 1 << 31 - SEGMENT_UNITS_SHIFT)][];
    }

    private static int units(int ints) {
        return ints + (1 << UNIT_SHIFT) - 1 >>> UNIT_SHIFT;
    }

    /** A block with whatever was in it before. */
    int claim(int ints) {
        int units = units(ints);
        used += units;
        int at = nextPresent(units);
        if (at < CLASSES) {
            int ref = pop(at);
            if (at > units) {
                push(ref + units, at - units);
            }
            return ref;
        }
        if (bumpEnd - bump < units) {
            addSegment();
        }
        int ref = bump;
        bump += units;
        return ref;
    }

    private void addSegment() {
        if (bumpEnd > bump) {
            push(bump, bumpEnd - bump);
        }
        if (segmentCount == segments.length) {
            segments = Arrays.copyOf(segments, segmentCount * 2);
        }
        segments[segmentCount] = new int[SEGMENT_UNITS << UNIT_SHIFT];
        memory.reserve(SEGMENT_BYTES);
        bump = segmentCount << SEGMENT_UNITS_SHIFT | (segmentCount == 0 ? 1 : 0); // unit 0 stands for none
        bumpEnd = segmentCount + 1 << SEGMENT_UNITS_SHIFT;
        segmentCount++;
    }

    void release(int ref, int ints) {
        used -= units(ints);
        push(ref, units(ints));
    }

    /** Whether so many ints can be had without another segment, or what is kept back of the bound is enough for one. */
    boolean room(int ints) {
        return bumpEnd - bump >= units(ints) || memory.left() >= 3 * SEGMENT_BYTES;
    }

    private int nextPresent(int units) {
        int word = units >>> 6;
        long bits = present[word] & -1L << (units & 63);
        while (bits == 0) {
            if (++word == present.length) {
                return CLASSES;
            }
            bits = present[word];
        }
        return word << 6 | Long.numberOfTrailingZeros(bits);
    }

    private int pop(int units) {
        int ref = heads[units];
        int next = segment(ref)[offset(ref)];
        heads[units] = next;
        if (next == 0) {
            present[units >>> 6] &= ~(1L << (units & 63));
        }
        return ref;
    }

    private void push(int ref, int units) {
        segment(ref)[offset(ref)] = heads[units];
        heads[units] = ref;
        present[units >>> 6] |= 1L << (units & 63);
    }

    /** The array that a block is in. */
    int[] segment(int ref) {
        return segments[ref >>> SEGMENT_UNITS_SHIFT];
    }

    static int offset(int ref) {
        return (ref & SEGMENT_UNITS - 1) << UNIT_SHIFT;
    }

    /** Ints in use, rounded up to units. */
    int used() {
        return used << UNIT_SHIFT;
    }
}
