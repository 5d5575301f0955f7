package dev.silkroute.rib.memory;

import java.util.BitSet;

/** The free units of a slab as a bitmap, used while neighbouring free blocks are being joined. */
final class FreeUnits {
    /** Receives a run of free units. */
    @FunctionalInterface
    interface Run {
        void visit(int from, int units);
    }

    private final BitSet free = new BitSet();
    private int blocks;

    void add(int from, int units) {
        free.set(from, from + units);
        blocks++;
    }

    /** The number of blocks added. */
    int blocks() {
        return blocks;
    }

    /** Returns whether all units from {@code from} to {@code to - 1} are free. */
    boolean all(int from, int to) {
        return free.nextClearBit(from) >= to;
    }

    /** Visits the runs of free units between {@code from} and {@code to - 1}. */
    void runs(int from, int to, Run each) {
        for (int at = free.nextSetBit(from); at >= 0 && at < to; ) {
            int end = Math.min(to, free.nextClearBit(at));
            each.visit(at, end - at);
            at = free.nextSetBit(end);
        }
    }
}
