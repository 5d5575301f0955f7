package dev.silkroute.collector.sessions;

import dev.silkroute.collector.turns.RouterTurns;
import dev.silkroute.session.BmpSession;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The BMP sessions that are open, or whose last batch is still under way: no more than the limit. Thread-safe. */
public final class SessionRegistry {
    private final int max;
    private final Set<BmpSession> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final RouterTurns turns = new RouterTurns();
    private final LongAdder refused = new LongAdder();
    private final LongAdder[] ends =
            Stream.generate(LongAdder::new).limit(SessionEnd.values().length).toArray(LongAdder[]::new);

    /** @param max sessions at the same time; a further connection is refused, those that are open stay */
    public SessionRegistry(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("a station of " + max + " sessions");
        }
        this.max = max;
    }

    /** Whether there is room for one more, which is then taken until {@link #remove} or {@link #giveBack}. */
    public boolean take() {
        if (count.incrementAndGet() > max) {
            count.decrementAndGet();
            refused.increment();
            return false;
        }
        return true;
    }

    /** Gives back what was taken for a connection that is no session, or not yet. */
    public void giveBack() {
        count.decrementAndGet();
    }

    public void add(BmpSession session) {
        open.add(session);
    }

    public void remove(BmpSession session) {
        if (open.remove(session)) {
            count.decrementAndGet();
        }
    }

    public void countEnd(SessionEnd why) {
        ends[why.ordinal()].increment();
    }

    public RouterTurns turns() {
        return turns;
    }

    /** Sessions that wait until earlier ones of their router are through. */
    public int behind() {
        return turns.waiting();
    }

    /** How many had to wait for that so far. */
    public long delayed() {
        return turns.delayed();
    }

    public int max() {
        return max;
    }

    public int count() {
        return open.size();
    }

    public Collection<BmpSession> all() {
        return Collections.unmodifiableSet(open);
    }

    /** Connections turned away at the limit. */
    public long refused() {
        return refused.sum();
    }

    /** Sessions that have ended for this reason. */
    public long ends(SessionEnd why) {
        return ends[why.ordinal()].sum();
    }
}
