package dev.silkroute.collector.sessions;

import dev.silkroute.session.BmpSession;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open BMP sessions, at most as many as configured: those whose connection is open, and those whose last batch
 * Kafka has not acknowledged yet. Also the quotas of source addresses, while they have sessions. Thread-safe.
 */
public final class SessionRegistry {
    private static final Logger LOGGER = LoggerFactory.getLogger(SessionRegistry.class);
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int limit;
    private final QuotaLimits quotas;
    private final ConcurrentMap<InetAddress, AddressQuota> addresses = new ConcurrentHashMap<>();
    private final LongAdder[] exceeded = adders(Quota.values().length);
    private final AtomicLong logFullAfter = new AtomicLong(System.nanoTime());
    private final Set<OpenSession> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger reserved = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final LongAdder[] ends = adders(SessionEnd.values().length);

    /** @param limit maximum number of sessions at the same time; further connections are refused */
    public SessionRegistry(int limit) {
        this(limit, QuotaLimits.NONE);
    }

    /**
     * @param limit maximum number of sessions at the same time; further connections are refused
     * @param quotas limits of each source address
     */
    public SessionRegistry(int limit, QuotaLimits quotas) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit of sessions must be positive, it is " + limit);
        }
        this.limit = limit;
        this.quotas = quotas;
    }

    private static LongAdder[] adders(int count) {
        return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    /**
     * Reserves one of the sessions, to be given back by {@link #remove} or {@link #release}.
     *
     * @param address source address of the router
     * @return null if a limit is reached; the refusal has been counted and logged
     */
    public @Nullable AddressQuota reserve(InetAddress address) {
        long now = System.nanoTime();
        if (reserved.incrementAndGet() > limit) {
            reserved.decrementAndGet();
            refused.increment();
            logFull(address, now);
            return null;
        }
        boolean[] admitted = new boolean[1];
        AddressQuota quota = addresses.compute(address, (_, known) -> {
            AddressQuota of = known == null ? new AddressQuota(address, quotas, exceeded, now) : known;
            admitted[0] = quotas.sessions() == 0 || of.sessions < quotas.sessions();
            of.sessions += admitted[0] ? 1 : 0;
            return of;
        });
        if (!admitted[0]) {
            reserved.decrementAndGet();
            refused.increment();
            quota.exceeded(Quota.SESSIONS, now, "further connections are refused");
            return null;
        }
        return quota;
    }

    private void logFull(InetAddress address, long now) {
        long after = logFullAfter.get();
        if (now - after >= 0 && logFullAfter.compareAndSet(after, now + LOG_NANOS)) {
            LOGGER.warn(
                    "BMP connection from {} refused: the limit of {} sessions is reached ({} connections refused so far)",
                    address.getHostAddress(),
                    limit,
                    refused.sum());
        }
    }

    /** Gives back the reservation of a connection that has not become a session. */
    public void release(InetAddress address) {
        addresses.computeIfPresent(address, (_, quota) -> --quota.sessions == 0 ? null : quota);
        reserved.decrementAndGet();
    }

    /** Returns the number of source addresses that have sessions. */
    public int addresses() {
        return addresses.size();
    }

    /** Returns how often a quota has been exceeded. */
    public long exceeded(Quota quota) {
        return exceeded[quota.ordinal()].sum();
    }

    /** Adds a session for which {@link #reserve} has returned true. */
    public void add(OpenSession session) {
        open.add(session);
    }

    /** Removes a session and gives back its reservation. */
    public void remove(OpenSession session) {
        if (open.remove(session)) {
            release(session.address());
        }
    }

    /**
     * Ends the sessions of a router up to a session id. Later sessions continue.
     *
     * @param collector ends sessions of all routers if it is their collector; null for those of one router
     * @param reason for the log and for the sessions' records
     * @return the number of sessions
     */
    public int end(@Nullable String router, @Nullable String collector, long newest, String reason) {
        int ended = 0;
        for (OpenSession session : open) {
            BmpSession decoder = session.decoder();
            if (decoder != null
                    && session.id() <= newest
                    && (decoder.router().equals(router) || decoder.collector().equals(collector))) {
                session.end(reason);
                ended++;
            }
        }
        return ended;
    }

    /**
     * Returns a time before which nothing was received that is still on its way to Kafka.
     *
     * @param nowMicros the current time, microseconds since 1970, which is returned if nothing is on its way
     */
    public long acknowledgedUntil(long nowMicros) {
        long until = nowMicros;
        for (OpenSession session : open) {
            until = Math.min(until, session.unacknowledgedSince(nowMicros));
        }
        return until;
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
