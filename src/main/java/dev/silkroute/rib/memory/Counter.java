package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread changes and any may read. */
public final class Counter {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] numbers;
    private final int at;

    public Counter() {
        this(PaddedArrays.longs(1), 0);
    }

    /** @param numbers {@link PaddedArrays}, of which it is the one with this place, from 0 on */
    public Counter(long[] numbers, int place) {
        this.numbers = numbers;
        at = PaddedArrays.FIRST_LONG + place;
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
