package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks which readers may still see memory that the writer has unlinked (epoch-based reclamation).
 *
 * <p>A reader announces the current epoch in its slot when it enters a section and clears the slot when it leaves. The
 * writer unlinks something with a release store, then {@link #advance advances} the epoch. What was unlinked in epoch
 * <i>e</i> may be reused once {@link #oldest} is greater than <i>e</i>: every active reader then entered its section
 * after the unlinking and cannot reach it.
 *
 * <p>Ordering: {@link #enter} is a volatile store, so no load of the section is reordered before the announcement;
 * {@link #exit} is a release store, so none is reordered after it; {@link #oldest} begins with a full fence, so that it
 * either sees an announcement or the reader sees the unlinking. Entering costs one fenced store; lookups cost nothing.
 * Neither side ever waits for the other.
 */
public final class Epochs {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    /** Index of the announced epoch in a slot; 0 there means that no section is open. */
    private static final int AT = PaddedArrays.FIRST_LONG;

    private final AtomicLong current = new AtomicLong(1);
    private volatile long[][] slots = {};

    /** Registers a reader and returns the slot for its announcements. */
    public synchronized long[] register() {
        long[] slot = PaddedArrays.longs(1);
        long[][] more = Arrays.copyOf(slots, slots.length + 1);
        more[slots.length] = slot;
        slots = more;
        return slot;
    }

    public synchronized void unregister(long[] slot) {
        slots = Arrays.stream(slots).filter(s -> s != slot).toArray(long[][]::new);
    }

    public int readers() {
        return slots.length;
    }

    public void enter(long[] slot) {
        LONG.setVolatile(slot, AT, current.get());
    }

    public static void exit(long[] slot) {
        LONG.setRelease(slot, AT, 0L);
    }

    /**
     * Begins the next epoch and returns the one that ends. What was unlinked before the call can be reached only by
     * readers of that epoch or of older ones.
     */
    long advance() {
        return current.getAndIncrement();
    }

    /** Returns the oldest epoch announced by an active reader, {@link Long#MAX_VALUE} if none is active. */
    long oldest() {
        VarHandle.fullFence();
        long oldest = Long.MAX_VALUE;
        for (long[] slot : slots) {
            long at = (long) LONG.getVolatile(slot, AT);
            if (at != 0 && at < oldest) {
                oldest = at;
            }
        }
        return oldest;
    }
}
