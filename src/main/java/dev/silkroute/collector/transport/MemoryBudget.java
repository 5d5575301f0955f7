package dev.silkroute.collector.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that all sessions together hold between socket and Kafka. Above the bound whoever holds some stops reading;
 * when an eighth of it is free again, all of them go on.
 *
 * <p>Thread-safe, no locks.
 */
public final class MemoryBudget {
    private final long bound;
    private final AtomicLong held = new AtomicLong();
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private final PartialMessages partial;

    /**
     * @param bound in bytes
     * @param partialBound how much of it incomplete messages may have, in bytes; at least the longest message
     */
    public MemoryBudget(long bound, long partialBound) {
        this.bound = bound;
        partial = new PartialMessages(partialBound);
    }

    PartialMessages partialMessages() {
        return partial;
    }

    /** Bytes of incomplete messages, small ones left out. */
    public long partial() {
        return partial.held();
    }

    void take(long bytes) {
        held.addAndGet(bytes);
    }

    void give(long bytes) {
        if (held.addAndGet(-bytes) <= bound - bound / 8 && !waiting.isEmpty()) {
            for (Runnable resume : waiting) {
                if (waiting.remove(resume)) {
                    resume.run();
                }
            }
        }
    }

    boolean isExhausted() {
        return held.get() > bound;
    }

    /** Has {@code resume} run once when there is room again: at once if there is already. */
    void await(Runnable resume) {
        waiting.add(resume);
        give(0);
    }

    /** Bytes held now. */
    public long held() {
        return held.get();
    }

    /** Sessions that wait for room. */
    public int waiting() {
        return waiting.size();
    }
}
