package dev.silkroute.rib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread changes and any may read. */
final class Count {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] numbers;
    private final int at;

    Count() {
        this(Apart.longs(1), 0);
    }

    /** @param numbers {@link Apart}, of which it is the one with this place, from 0 on */
    Count(long[] numbers, int place) {
        this.numbers = numbers;
        at = Apart.LONG + place;
    }

    void add(long more) {
        LONG.setOpaque(numbers, at, numbers[at] + more);
    }

    void set(long to) {
        LONG.setOpaque(numbers, at, to);
    }

    long get() {
        return (long) LONG.getOpaque(numbers, at);
    }
}
