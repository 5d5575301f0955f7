package dev.silkroute.component.rib;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Whether a RIB has been read, as a test says it; nothing is applied to it. */
public final class TestPlaces implements RibPlaces {
    public final AtomicBoolean ready = new AtomicBoolean();
    /** How often it was asked for that. */
    public final AtomicInteger asked = new AtomicInteger();

    @Override
    public boolean isNew(String topic, int partition, long offset) {
        return true;
    }

    @Override
    public void applied(String topic, int partition, long offset) {
        throw new AssertionError("nothing is applied");
    }

    @Override
    public boolean ready() {
        asked.incrementAndGet();
        return ready.get();
    }
}
