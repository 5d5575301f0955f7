package dev.silkroute.rib.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The memory that a shard has reserved, and its limit. Reserving never fails: before a route is added, {@code
 * Stores.hasRoom} checks that what it needs is available. Written by the shard's writer, read by any thread.
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

    /** The maximum number of segments of a size that can ever be reserved. */
    int maxSegments(long segmentBytes) {
        return (int) Math.min(1 << 17, limit / segmentBytes + 4);
    }

    public void reserve(long bytes) {
        RESERVED.setOpaque(this, reserved + bytes);
    }

    public long reserved() {
        return (long) RESERVED.getOpaque(this);
    }

    /** Bytes that may still be reserved; negative if the last route exceeded the limit. */
    public long available() {
        return limit - reserved;
    }
}
