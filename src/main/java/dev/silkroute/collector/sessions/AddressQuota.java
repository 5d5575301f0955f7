package dev.silkroute.collector.sessions;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The total use of the sessions of one source address, compared with {@link QuotaLimits}. Exceeding a quota is
 * counted each time and logged at most once in {@value #LOG_SECONDS} seconds per address. Thread-safe.
 */
public final class AddressQuota {
    private static final Logger LOGGER = LoggerFactory.getLogger(AddressQuota.class);
    private static final int LOG_SECONDS = 30;
    /** A router that connects sends a Peer Up for each of its peers at once. */
    private static final int PEER_EVENT_BURST = 10;
    /** A router that connects sends its tables at once. */
    private static final int ROUTE_BURST = 10;
    /** Number of waiting sessions from which on further connections are rejected. */
    static final int MAX_WAITING = 64;

    private final InetAddress address;
    private final QuotaLimits limits;
    private final LongAdder[] exceeded;
    private final RateLimit messages;
    private final RateLimit bytes;
    private final RateLimit peerEvents;
    private final RateLimit routes;
    private final AtomicLong held = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong logAfter;
    /** The times at which each quota was exceeded last, {@link System#nanoTime()}; by {@link Quota}, null for never. */
    private final AtomicReferenceArray<Long> exceededAt = new AtomicReferenceArray<>(Quota.values().length);
    /** The time at which a session has last begun or ceased to wait; null for never. */
    private volatile @Nullable Long waitedAt;
    /** Changed by {@link SessionRegistry} within the map's lock. */
    int sessions;

    /** @param exceeded counters by {@link Quota} */
    AddressQuota(InetAddress address, QuotaLimits limits, LongAdder[] exceeded, long now) {
        this.address = address;
        this.limits = limits;
        this.exceeded = exceeded;
        messages = new RateLimit(limits.messages(), 1, now);
        bytes = new RateLimit(limits.bytes(), 1, now);
        peerEvents = new RateLimit(limits.peerEvents(), PEER_EVENT_BURST, now);
        routes = new RateLimit(limits.routes(), ROUTE_BURST, now);
        logAfter = new AtomicLong(now);
    }

    /**
     * Counts what a connection has received.
     *
     * @param now {@link System#nanoTime()}
     * @return for how many nanoseconds the connection must not read, 0 if it may continue
     */
    public long received(long newBytes, long newMessages, long newPeerEvents, long now) {
        return Math.max(
                wait(Quota.BYTES, bytes.take(newBytes, now), now),
                Math.max(
                        wait(Quota.MESSAGES, messages.take(newMessages, now), now),
                        wait(Quota.PEER_EVENTS, peerEvents.take(newPeerEvents, now), now)));
    }

    /**
     * Counts the routes that have been decoded, or none to ask again.
     *
     * @param now {@link System#nanoTime()}
     * @return for how many nanoseconds the connection must not read, 0 if it may continue
     */
    public long decoded(long newRoutes, long now) {
        return wait(Quota.ROUTES, routes.take(newRoutes, now), now);
    }

    /** A session begins to wait, because it has more than its share, or waits no longer. */
    void waits(boolean begins, long now) {
        waitedAt = now;
        waiting.addAndGet(begins ? 1 : -1);
    }

    /**
     * Returns whether too many sessions wait for the address to open more, each of which would be one of the
     * station's sessions, even after the router has closed it.
     */
    boolean hasManyWaiting() {
        return waiting.get() >= MAX_WAITING;
    }

    InetAddress address() {
        return address;
    }

    /** Returns whether a quota has been exceeded since a time. */
    boolean hasExceeded(Quota quota, long since) {
        return isSince(exceededAt.get(quota.ordinal()), since);
    }

    /** Returns whether a session has had to wait since a time. */
    boolean hasWaited(long since) {
        return isSince(waitedAt, since);
    }

    private static boolean isSince(@Nullable Long at, long since) {
        return at != null && at - since >= 0;
    }

    private long wait(Quota quota, long nanos, long now) {
        if (nanos > 0) {
            exceeded(quota, now, "reading pauses");
        }
        return nanos;
    }

    void exceeded(Quota quota, long now, String consequence) {
        exceeded[quota.ordinal()].increment();
        exceededAt.set(quota.ordinal(), now);
        if (isLogDue(now)) {
            LOGGER.warn(
                    "BMP from {} exceeds silkroute.quota.{} ({}): {}",
                    address.getHostAddress(),
                    quota.text(),
                    limits.of(quota),
                    consequence);
        }
    }

    /** A connection is rejected, because many sessions of the address wait. */
    void rejectedForWaiting(long now) {
        if (isLogDue(now)) {
            LOGGER.warn(
                    "BMP from {}: further connections are rejected while {} sessions wait, because the address sends more"
                            + " than PostgreSQL stores (silkroute.quota.store-delay)",
                    address.getHostAddress(),
                    MAX_WAITING);
        }
    }

    private boolean isLogDue(long now) {
        long after = logAfter.get();
        return now - after >= 0 && logAfter.compareAndSet(after, now + TimeUnit.SECONDS.toNanos(LOG_SECONDS));
    }

    /** Adds to the heap that the sessions hold between socket and Kafka, in bytes; negative when it is released. */
    public void hold(long change) {
        held.addAndGet(change);
    }

    /** Returns the heap that the sessions hold, in bytes. */
    public long held() {
        return held.get();
    }
}
