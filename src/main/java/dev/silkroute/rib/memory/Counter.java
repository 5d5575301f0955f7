package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that one thread changes and any thread reads. Reads and writes are opaque: a reader sees a recent value,
 * which is not ordered with other memory accesses.
 */
public final class Counter {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] numbers;
    private final int at;

    public Counter() {
        this(PaddedArrays.longs(1), 0);
    }

    /**
     * Uses an element of an array that several counters of one writer share.
     *
     * @param numbers an array from {@link PaddedArrays#longs}
     * @param index the index of the element among the usable ones, from 0
     */
    public Counter(long[] numbers, int index) {
        this.numbers = numbers;
        at = PaddedArrays.FIRST_LONG + index;
    }

    public void add(long more) {
        LONG.setOpaque(numbers, at, numbers[at] + more);
    }

    public void set(long to) {
        LONG.setOpaque(numbers, at, to);
    }

    public long get() {
        return (long) LONG.getOpaque(numbers, at);
    }
}
