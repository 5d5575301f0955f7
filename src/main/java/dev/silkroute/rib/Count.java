package dev.silkroute.rib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread changes and any may read. */
final class Count {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Count.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    void add(long more) {
        VALUE.setOpaque(this, value + more);
    }

    void set(long to) {
        VALUE.setOpaque(this, to);
    }

    long get() {
        return (long) VALUE.getOpaque(this);
    }
}
