package dev.silkroute.component.rib;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Offsets whose readiness a test sets; nothing is applied. */
public final class TestOffsets implements RibOffsets {
    public final AtomicBoolean ready = new AtomicBoolean();
    /** The number of calls of {@link #ready}. */
    public final AtomicInteger readyCalls = new AtomicInteger();

    @Override
    public boolean isNew(String topic, int partition, long offset) {
        return true;
    }

    @Override
    public void applied(String topic, int partition, long offset) {
        throw new AssertionError("nothing is to be applied");
    }

    @Override
    public boolean ready() {
        readyCalls.incrementAndGet();
        return ready.get();
    }
}
