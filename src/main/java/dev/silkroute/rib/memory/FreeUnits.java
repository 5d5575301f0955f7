package dev.silkroute.rib.memory;

import java.util.BitSet;

/** The free blocks of a slab, while those that lie side by side are joined. */
final class FreeUnits {
    /** Takes units that follow each other and are free, as many as there are. */
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

    /** How many blocks there were. */
    int blocks() {
        return blocks;
    }

    /** Whether all units from one to before another are free. */
    boolean all(int from, int to) {
        return free.nextClearBit(from) >= to;
    }

    /** What is free of the units from one to before another. */
    void runs(int from, int to, Run each) {
        for (int at = free.nextSetBit(from); at >= 0 && at < to; ) {
            int end = Math.min(to, free.nextClearBit(at));
            each.visit(at, end - at);
            at = free.nextSetBit(end);
        }
    }
}
