package dev.silkroute.rib.memory;

import dev.silkroute.rib.store.Stores;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a shard has reserved, and how much it may. Reserving never fails: whoever is about to add a route asks first
 * ({@link Stores#room}). Written by the shard's writer, read by anybody.
 */
public final class MemoryBudget {
    private static final VarHandle RESERVED;

    static {
        try {
            RESERVED = MethodHandles.lookup().findVarHandle(MemoryBudget.class, "reserved", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long limit;
    private long reserved;

    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Most segments of a size that could ever be reserved. */
    int maxSegments(long segmentBytes) {
        return (int) Math.min(1 << 17, limit / segmentBytes + 4);
    }

    public void reserve(long bytes) {
        RESERVED.setOpaque(this, reserved + bytes);
    }

    public long reserved() {
        return (long) RESERVED.getOpaque(this);
    }

    /** Bytes that may still be reserved; negative if the last route went over. */
    public long available() {
        return limit - reserved;
    }
}
