package dev.silkroute.rpki.rtr;

import java.util.concurrent.atomic.LongAdder;

/** Counts the PDUs whose content the station does not use. Thread-safe. */
public final class IgnoredPdus {
    private final LongAdder routerKeys = new LongAdder();
    private final LongAdder aspas = new LongAdder();

    void routerKey() {
        routerKeys.increment();
    }

    void aspa() {
        aspas.increment();
    }

    public long routerKeys() {
        return routerKeys.sum();
    }

    public long aspas() {
        return aspas.sum();
    }
}
