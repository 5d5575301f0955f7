package dev.silkroute.collector.sessions;

import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionRecord;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
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
    private static final long NOTICE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_NOTICED_ADDRESSES = 5;

    private final int limit;
    private final QuotaLimits quotas;
    private final ConcurrentMap<SourceAddress, AddressQuota> addresses = new ConcurrentHashMap<>();
    private final StoreShares shares;
    private final DumpPlaces dumps;
    private final LongAdder waits = new LongAdder();
    private final LongAdder[] exceeded = adders(Quota.values().length);
    private final AtomicLong logFullAfter = new AtomicLong(System.nanoTime());
    private final Set<OpenSession> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger reserved = new AtomicInteger();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder[] ends = adders(SessionEnd.values().length);

    /** @param limit maximum number of sessions at the same time; further connections are rejected */
    public SessionRegistry(int limit) {
        this(limit, QuotaLimits.NONE, Duration.ZERO);
    }

    /**
     * @param limit maximum number of sessions at the same time; further connections are rejected
     * @param quotas limits of each source address
     * @param storeDelay how long storing may take before sessions with more than their share wait; zero for never
     */
    public SessionRegistry(int limit, QuotaLimits quotas, Duration storeDelay) {
        this(limit, quotas, storeDelay, DumpLimits.NONE);
    }

    /**
     * @param limit maximum number of sessions at the same time; further connections are rejected
     * @param quotas limits of each source address
     * @param storeDelay how long storing may take before addresses with more than their share wait; zero for never
     * @param dumpLimits limits of the sessions that send their tables at the same time
     */
    public SessionRegistry(int limit, QuotaLimits quotas, Duration storeDelay, DumpLimits dumpLimits) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit of sessions must be positive, it is " + limit);
        }
        this.limit = limit;
        this.quotas = quotas;
        shares = new StoreShares(storeDelay);
        dumps = new DumpPlaces(dumpLimits, System::nanoTime);
    }

    private static LongAdder[] adders(int count) {
        return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    /**
     * Reserves one of the sessions, to be given back by {@link #remove} or {@link #release}.
     *
     * @param address source address of the router
     * @return null if a limit is reached; the rejection has been counted and logged
     */
    public @Nullable AddressQuota reserve(InetAddress address) {
        long now = System.nanoTime();
        if (reserved.incrementAndGet() > limit) {
            reserved.decrementAndGet();
            rejected.increment();
            logFull(address, now);
            return null;
        }
        boolean[] admitted = new boolean[1];
        AddressQuota quota = addresses.compute(new SourceAddress(address), (_, known) -> {
            AddressQuota of = known == null ? new AddressQuota(address, quotas, exceeded, now) : known;
            admitted[0] = (quotas.sessions() == 0 || of.sessions < quotas.sessions()) && !hasManyWaiting(of);
            of.sessions += admitted[0] ? 1 : 0;
            return of;
        });
        if (!admitted[0]) {
            reserved.decrementAndGet();
            rejected.increment();
            if (hasManyWaiting(quota)) {
                quota.rejectedForWaiting(now);
            } else {
                quota.exceeded(Quota.SESSIONS, now, "further connections are rejected");
            }
            return null;
        }
        return quota;
    }

    /** The only address may have as many as there are: they wait for each other only. */
    private boolean hasManyWaiting(AddressQuota quota) {
        return quota.hasManyWaiting() && addresses.size() > 1;
    }

    private void logFull(InetAddress address, long now) {
        long after = logFullAfter.get();
        if (now - after >= 0 && logFullAfter.compareAndSet(after, now + LOG_NANOS)) {
            LOGGER.warn(
                    "BMP connection from {} rejected: the limit of {} sessions is reached ({} connections rejected so far)",
                    address.getHostAddress(),
                    limit,
                    rejected.sum());
        }
    }

    /** Gives back the reservation of a connection that has not become a session. */
    public void release(InetAddress address) {
        addresses.computeIfPresent(new SourceAddress(address), (_, quota) -> --quota.sessions == 0 ? null : quota);
        reserved.decrementAndGet();
    }

    /** Returns the shares that addresses and sessions have of what lanes have not stored yet. */
    public StoreShares shares() {
        return shares;
    }

    /** Returns the places of the sessions that send their tables. */
    public DumpPlaces dumps() {
        return dumps;
    }

    /**
     * Returns how many bytes the next batch of a session may have, 0 if it must wait. It has at least one message.
     *
     * @param bytes the bytes of BMP messages that there are for it
     * @param first those of the first message
     */
    public int admitted(OpenSession session, int bytes, int first) {
        return shares.admitted(session.id(), bytes, first, System.nanoTime());
    }

    /** Returns whether a session of which nothing has been sent may be read from: always if its address is alone. */
    public boolean mayRead(OpenSession session, AddressQuota quota) {
        return addresses.size() <= 1 || shares.mayRead(session.id(), quota.held(), System.nanoTime());
    }

    /** A session begins to wait, because it has more than its share, or waits no longer. */
    public void waits(AddressQuota quota, boolean begins) {
        if (begins) {
            waits.increment();
        }
        quota.waits(begins, System.nanoTime());
    }

    /** Returns how often a session has had to wait. */
    public long waits() {
        return waits.sum();
    }

    /** A session sends a batch of BMP messages, which {@link #sent} follows. */
    public void sending(OpenSession session, int bytes) {
        shares.sending(session.id(), bytes);
    }

    /** Everything that came of a batch is in Kafka. */
    public void sent(OpenSession session, int bytes) {
        shares.sent(session.id(), bytes);
    }

    /** Counts the records that were made of a batch which a session has sent. */
    public void decoded(BmpSession session, DecodedBatch batch) {
        if (batch.routes().length > 0) {
            shares.decoded(LaneName.ROUTES, session.id(), batch.events(), batch.routes().length);
            AddressQuota quota = addresses.get(new SourceAddress(session.address()));
            if (quota != null) {
                quota.decoded(batch.events(), System.nanoTime());
            }
        }
        for (LaneName lane : LaneName.values()) {
            List<SessionRecord> records = batch.records(lane);
            if (!records.isEmpty()) {
                shares.decoded(
                        lane,
                        session.id(),
                        records.size(),
                        records.stream()
                                .mapToLong(record -> record.json().length)
                                .sum());
            }
        }
    }

    /**
     * Describes, for the operator, which addresses have been slowed down in the last minute and why, and how many
     * sessions wait to send their tables.
     */
    public List<String> notices() {
        long since = System.nanoTime() - NOTICE_NANOS;
        List<String> notices = new ArrayList<>();
        for (Quota quota : Quota.values()) {
            String text =
                    "silkroute.quota." + quota.text() + " (" + quotas.of(quota) + ") exceeded in the last minute by ";
            notice(text, address -> address.hasExceeded(quota, since), notices);
        }
        notice(
                "More than PostgreSQL stores, so that reading from them was slowed down in the last minute: ",
                address -> address.hasWaited(since),
                notices);
        int waiting = dumps.waiting();
        if (waiting > 0) {
            notices.add(
                    "%d of %d sessions send their tables (silkroute.sessions.max-dumping), %d wait, the longest for %d s"
                            .formatted(dumps.taken(), count(), waiting, Math.round(dumps.longestWaitSeconds())));
        }
        return notices;
    }

    private void notice(String text, Predicate<AddressQuota> isMeant, List<String> notices) {
        List<String> meant = addresses.values().stream()
                .filter(isMeant)
                .map(quota -> quota.address().getHostAddress())
                .sorted()
                .toList();
        int more = meant.size() - MAX_NOTICED_ADDRESSES;
        if (!meant.isEmpty()) {
            notices.add(text
                    + String.join(", ", meant.subList(0, Math.min(meant.size(), MAX_NOTICED_ADDRESSES)))
                    + (more > 0 ? " and " + more + " more" : ""));
        }
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
        shares.opened(session.id(), session.address(), System.nanoTime());
        open.add(session);
    }

    /** Removes a session and gives back its reservation. */
    public void remove(OpenSession session) {
        if (open.remove(session)) {
            shares.closed(session.id());
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

    /** Returns how many connections have been rejected at the limit. */
    public long rejected() {
        return rejected.sum();
    }

    /** Returns how many sessions and connections have ended for a reason. */
    public long ends(SessionEnd reason) {
        return ends[reason.ordinal()].sum();
    }
}
