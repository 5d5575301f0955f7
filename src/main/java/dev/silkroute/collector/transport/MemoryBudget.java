package dev.silkroute.collector.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that all sessions together hold between socket and Kafka, in bytes. While it exceeds the bound, sessions
 * that hold some stop reading; all of them resume when an eighth of the bound is free again. Addresses that hold less
 * than half of an equal share continue until an eighth more than the bound is held, so that those that hold much do
 * not stop the others.
 *
 * <p>Thread-safe and lock-free.
 */
public final class MemoryBudget {
    private final long bound;
    private final AtomicLong held = new AtomicLong();
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private final PartialMessages partialMessages;
    /** A bit for each {@link ReadingPause} in force. */
    private final AtomicInteger pauses = new AtomicInteger();

    /**
     * @param bound in bytes
     * @param partialBound how many of them incomplete messages may hold, in bytes; at least the longest message
     */
    public MemoryBudget(long bound, long partialBound) {
        this.bound = bound;
        partialMessages = new PartialMessages(partialBound);
    }

    PartialMessages partialMessages() {
        return partialMessages;
    }

    /** Returns the bytes of incomplete messages; small ones are not counted. */
    public long partial() {
        return partialMessages.held();
    }

    void reserve(long bytes) {
        held.addAndGet(bytes);
    }

    void release(long bytes) {
        if (held.addAndGet(-bytes) <= bound - bound / 8 && !isPaused() && !waiting.isEmpty()) {
            for (Runnable resume : waiting) {
                if (waiting.remove(resume)) {
                    resume.run();
                }
            }
        }
    }

    /**
     * Returns whether the sessions of an address must stop reading.
     *
     * @param heldByAddress what they hold together, in bytes
     * @param addresses the number of addresses that have sessions
     */
    boolean isExhaustedFor(long heldByAddress, int addresses) {
        long all = held.get();
        return all > bound && (all > bound + bound / 8 || heldByAddress > bound / Math.max(1, addresses) / 2);
    }

    /** Returns whether sessions that hold much must stop reading, or all must. */
    public boolean isExhausted() {
        return isPaused() || held.get() > bound;
    }

    /** Runs {@code resume} once, as soon as memory is available, possibly before this method returns. */
    void await(Runnable resume) {
        waiting.add(resume);
        release(0);
    }

    /** Stops reading from all routers, whatever is held, until {@link #resume} for the same reason. */
    public void pause(ReadingPause reason) {
        pauses.updateAndGet(bits -> bits | 1 << reason.ordinal());
    }

    /** Ends a pause. */
    public void resume(ReadingPause reason) {
        pauses.updateAndGet(bits -> bits & ~(1 << reason.ordinal()));
        release(0);
    }

    /** Returns whether reading from all routers is stopped. */
    public boolean isPaused() {
        return pauses.get() != 0;
    }

    /** Returns whether reading from all routers is stopped for a reason. */
    public boolean isPaused(ReadingPause reason) {
        return (pauses.get() & 1 << reason.ordinal()) != 0;
    }

    /** Returns the bytes held now. */
    public long held() {
        return held.get();
    }

    /** Returns how many sessions wait for memory. */
    public int waiting() {
        return waiting.size();
    }
}
