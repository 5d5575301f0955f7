package dev.silkroute.collector.sessions;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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

    private final InetAddress address;
    private final QuotaLimits limits;
    private final LongAdder[] exceeded;
    private final RateLimit messages;
    private final RateLimit bytes;
    private final RateLimit peerEvents;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong logAfter;
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

    private long wait(Quota quota, long nanos, long now) {
        if (nanos > 0) {
            exceeded(quota, now, "reading pauses");
        }
        return nanos;
    }

    void exceeded(Quota quota, long now, String consequence) {
        exceeded[quota.ordinal()].increment();
        long after = logAfter.get();
        if (now - after >= 0 && logAfter.compareAndSet(after, now + TimeUnit.SECONDS.toNanos(LOG_SECONDS))) {
            LOGGER.warn(
                    "BMP from {} exceeds silkroute.quota.{} ({}): {}",
                    address.getHostAddress(),
                    quota.text(),
                    limits.of(quota),
                    consequence);
        }
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
