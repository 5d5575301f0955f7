package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who may still be reading what. A reader announces the epoch it begins in, a writer that has unlinked something begins the next one, and what was
 * unlinked is free once every reader that is under way began later. Readers wait for nobody; a writer never waits for a
 * reader either, only memory does.
 */
public final class Epochs {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    /** The announcement in a slot. */
    private static final int AT = PaddedArrays.FIRST_LONG;

    private final AtomicLong current = new AtomicLong(1);
    private volatile long[][] slots = {};

    /** A place for a reader's announcements. */
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

    /** Begins the next epoch. What was unlinked before can be reached by readers of the epoch returned and of older ones only. */
    long advance() {
        return current.getAndIncrement();
    }

    /** The oldest epoch that a reader is in; {@link Long#MAX_VALUE} if none is reading. */
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
