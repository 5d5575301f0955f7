package dev.silkroute.collector.sessions;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The open BMP sessions, at most as many as configured: those whose connection is open, and those whose last batch
 * Kafka has not acknowledged yet. Thread-safe.
 */
public final class SessionRegistry {
    private final int limit;
    private final Set<OpenSession> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger reserved = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final LongAdder[] ends =
            Stream.generate(LongAdder::new).limit(SessionEnd.values().length).toArray(LongAdder[]::new);

    /** @param limit maximum number of sessions at the same time; further connections are refused */
    public SessionRegistry(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit of sessions must be positive, it is " + limit);
        }
        this.limit = limit;
    }

    /**
     * Reserves one of the sessions, to be given back by {@link #remove} or {@link #release}.
     *
     * @return false if the limit is reached; the refusal has been counted
     */
    public boolean reserve() {
        if (reserved.incrementAndGet() > limit) {
            reserved.decrementAndGet();
            refused.increment();
            return false;
        }
        return true;
    }

    /** Gives back the reservation of a connection that has not become a session. */
    public void release() {
        reserved.decrementAndGet();
    }

    /** Adds a session for which {@link #reserve} has returned true. */
    public void add(OpenSession session) {
        open.add(session);
    }

    /** Removes a session and gives back its reservation. */
    public void remove(OpenSession session) {
        if (open.remove(session)) {
            reserved.decrementAndGet();
        }
    }

    /** Counts the end of a session or connection. */
    public void countEnd(SessionEnd reason) {
        ends[reason.ordinal()].increment();
    }

    public int limit() {
        return limit;
    }

    /** Returns the number of open sessions; connections that are not admitted yet are not among them. */
    public int count() {
        return open.size();
    }

    /** Returns a live view of the open sessions. */
    public Collection<OpenSession> all() {
        return Collections.unmodifiableSet(open);
    }

    /** Returns how many connections have been refused at the limit. */
    public long refused() {
        return refused.sum();
    }

    /** Returns how many sessions and connections have ended for a reason. */
    public long ends(SessionEnd reason) {
        return ends[reason.ordinal()].sum();
    }
}
