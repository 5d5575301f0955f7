package dev.silkroute.collector.sessions;

import java.net.InetAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places of the sessions that send their tables. When all routers connect at once, as after a restart, a limited
 * number of them sends tables, and the others wait, so that tables are complete one after the other instead of all of
 * them at the end.
 *
 * <p>A place that becomes free is given to the source address that has the fewest places, and among those with equally
 * many to the session that has waited longest. So an address with many sessions does not delay one with a single
 * session, and sessions of one address have places in their order. Thread-safe.
 */
public final class DumpPlaces {
    private final DumpLimits limits;
    private final LongSupplier nanos;
    private final Map<SourceAddress, Sessions> addresses = new LinkedHashMap<>();
    private final LongAdder[] ends =
            Stream.generate(LongAdder::new).limit(DumpEnd.values().length).toArray(LongAdder[]::new);
    private int taken;
    private int waiting;

    /** The sessions of one address that have a place, and those that wait for one, the longest waiting first. */
    private static final class Sessions {
        private final LinkedHashSet<Place> waiting = new LinkedHashSet<>();
        private int taken;

        boolean isEmpty() {
            return taken == 0 && waiting.isEmpty();
        }

        long longestWaitingSince() {
            return waiting.getFirst().requestedAt;
        }
    }

    /** The place of one session, or its request for one. */
    public static final class Place {
        private final SourceAddress address;
        private final long requestedAt;
        private final Runnable onGranted;
        private volatile boolean granted;
        /** Guarded by the {@link DumpPlaces}. */
        private boolean left;

        private Place(SourceAddress address, long requestedAt, Runnable onGranted) {
            this.address = address;
            this.requestedAt = requestedAt;
            this.onGranted = onGranted;
        }

        /** Returns whether the session has the place, or has had it. */
        public boolean isGranted() {
            return granted;
        }
    }

    /** @param nanos a monotonic clock, nanoseconds */
    public DumpPlaces(DumpLimits limits, LongSupplier nanos) {
        this.limits = limits;
        this.nanos = nanos;
    }

    public DumpLimits limits() {
        return limits;
    }

    /** Returns the current time by the clock of the places, in nanoseconds. */
    public long now() {
        return nanos.getAsLong();
    }

    /**
     * Requests a place, to be given back by {@link #leave}.
     *
     * @param onGranted called once by any thread when the session has the place, unless it has it already when this
     *     method returns
     */
    public Place request(InetAddress address, Runnable onGranted) {
        Place place = new Place(new SourceAddress(address), nanos.getAsLong(), onGranted);
        synchronized (this) {
            Sessions sessions = addresses.computeIfAbsent(place.address, _ -> new Sessions());
            if (isFull()) {
                sessions.waiting.add(place);
                waiting++;
            } else {
                grant(place, sessions);
            }
        }
        return place;
    }

    /** Releases a slot, or the request for one. Later calls for the same one have no effect. */
    public void leave(Place place, DumpEnd reason) {
        Place next;
        synchronized (this) {
            Sessions sessions = addresses.get(place.address);
            if (place.left || sessions == null) {
                return;
            }
            place.left = true;
            if (place.granted) {
                taken--;
                sessions.taken--;
                ends[reason.ordinal()].increment();
            } else {
                waiting--;
                sessions.waiting.remove(place);
            }
            if (sessions.isEmpty()) {
                addresses.remove(place.address);
            }
            next = grantNext();
        }
        if (next != null) {
            next.onGranted.run();
        }
    }

    /** Gives a place to the session that is next, if one is free. @return the session's place */
    private @Nullable Place grantNext() {
        Sessions sessions = isFull() ? null : next(addresses.values());
        if (sessions == null) {
            return null;
        }
        Place place = sessions.waiting.removeFirst();
        waiting--;
        grant(place, sessions);
        return place;
    }

    private void grant(Place place, Sessions sessions) {
        place.granted = true;
        sessions.taken++;
        taken++;
    }

    private boolean isFull() {
        return limits.sessions() > 0 && taken >= limits.sessions();
    }

    private static @Nullable Sessions next(Collection<Sessions> addresses) {
        Sessions next = null;
        for (Sessions one : addresses) {
            if (!one.waiting.isEmpty() && (next == null || isBefore(one, next))) {
                next = one;
            }
        }
        return next;
    }

    private static boolean isBefore(Sessions one, Sessions other) {
        return one.taken == other.taken
                ? one.longestWaitingSince() - other.longestWaitingSince() < 0
                : one.taken < other.taken;
    }

    /** Returns the number of sessions that have a place. */
    public synchronized int taken() {
        return taken;
    }

    /** Returns the number of sessions that wait for a place. */
    public synchronized int waiting() {
        return waiting;
    }

    /** Returns for how many seconds the session that waits for a place longest has waited, 0 if none waits. */
    public synchronized double longestWaitSeconds() {
        long now = nanos.getAsLong();
        long longest = 0;
        for (Sessions sessions : addresses.values()) {
            if (!sessions.waiting.isEmpty()) {
                longest = Math.max(longest, now - sessions.longestWaitingSince());
            }
        }
        return longest / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Returns how many sessions have released a slot for a reason. */
    public long ended(DumpEnd reason) {
        return ends[reason.ordinal()].sum();
    }
}
