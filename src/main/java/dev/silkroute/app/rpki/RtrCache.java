package dev.silkroute.app.rpki;

import dev.silkroute.app.config.HostPort;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.rpki.rtr.CacheData;
import dev.silkroute.rpki.rtr.CacheErrorException;
import dev.silkroute.rpki.rtr.Intervals;
import dev.silkroute.rpki.rtr.RtrException;
import dev.silkroute.rpki.rtr.Synchronization;
import dev.silkroute.rpki.rtr.VersionException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One RTR cache: a virtual thread that connects when it is the cache's turn ({@link RtrVrps#awaitTurn}), queries all
 * data and then the changes at each refresh interval or Serial Notify. After a failure it connects again, with an
 * exponential back-off up to the retry interval of the cache.
 */
final class RtrCache {
    private static final Logger LOGGER = Logger.getLogger(RtrCache.class);
    private static final int MAX_DOUBLINGS = 20;

    private final HostPort address;
    private final RtrSettings settings;
    private final RtrVrps group;
    private final RtrCacheMeters meters;
    private final LongAdder routerKeys = new LongAdder();
    private final Thread thread;
    private volatile @Nullable Received received;
    private volatile @Nullable RtrConnection connection;
    /** False until a query has ended with End of Data; a cache may reject a session by closing the connection only. */
    private boolean resumable;

    private int failedAttempts;
    private @Nullable String loggedFailure;

    /**
     * The data of the last End of Data.
     *
     * @param expiresAtNanos when they must not be used any more, by {@link RtrVrps#nanoTime}
     */
    record Received(CacheData data, long atMillis, long expiresAtNanos) {
        boolean isExpired(long nanoTime) {
            return nanoTime - expiresAtNanos >= 0;
        }
    }

    RtrCache(HostPort address, RtrSettings settings, RtrVrps group, MeterRegistry registry) {
        this.address = address;
        this.settings = settings;
        this.group = group;
        meters = new RtrCacheMeters(registry, address.toString());
        meters.register(this, group, routerKeys);
        thread = Thread.ofVirtual().name("rtr-" + address).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void close() {
        thread.interrupt();
        disconnect();
    }

    /** Closes the connection, if there is one. */
    void disconnect() {
        RtrConnection open = connection;
        if (open != null) {
            open.close();
        }
    }

    /** Returns the newest data; null before the first End of Data. */
    @Nullable
    Received received() {
        return received;
    }

    /** Returns a number of the newest data; 0 before the first End of Data. */
    double read(ToDoubleFunction<Received> number) {
        Received newest = received;
        return newest == null ? 0 : number.applyAsDouble(newest);
    }

    private void run() {
        int highestVersion = Synchronization.HIGHEST_VERSION;
        try {
            while (true) {
                group.awaitTurn(this);
                try {
                    converse(highestVersion);
                } catch (VersionException e) {
                    LOGGER.infof("RTR cache %s: %s", address, e.getMessage());
                    highestVersion = e.version();
                    continue;
                } catch (RtrException e) {
                    resumable = false;
                    meters.errorSent(e.code());
                    failed("reported " + e.code().text() + " to the cache: " + e.getMessage());
                } catch (CacheErrorException e) {
                    resumable = false;
                    meters.errorReceived(e.code());
                    failed(String.valueOf(e.getMessage()));
                } catch (IOException | RuntimeException e) { // of any kind, because an exception would end the thread
                    if (!thread.isInterrupted()) {
                        lost(e);
                    }
                }
                highestVersion = Synchronization.HIGHEST_VERSION;
                Thread.sleep(delay());
            }
        } catch (InterruptedException e) {
            LOGGER.debugf("RTR cache %s: closed", address);
        }
    }

    private void lost(Exception reason) {
        if (group.isDismissed(this)) {
            LOGGER.infof("RTR cache %s: disconnected, because a preferred cache is synchronized", address);
        } else {
            failed(OperatorError.reason(reason));
        }
    }

    /** Returns the data whose changes a new connection queries; null if it has to query all data. */
    private @Nullable CacheData resumed() {
        Received newest = received;
        return !resumable || newest == null || newest.isExpired(group.nanoTime()) ? null : newest.data();
    }

    /**
     * Connects and keeps the data up to date. Ends with an exception only.
     *
     * @param highestVersion of the query for all data
     */
    private void converse(int highestVersion)
            throws IOException, RtrException, CacheErrorException, VersionException, InterruptedException {
        try (RtrConnection own = new RtrConnection(settings.responseTimeout())) {
            connection = own;
            CacheData data = resumed();
            RtrConnection.Open open = own.open(address, data == null ? highestVersion : data.version(), routerKeys);
            while (!Thread.interrupted()) {
                CacheData next = query(open, data);
                group.received(this);
                data = next;
                open.awaitNews(data);
            }
            throw new InterruptedException();
        } finally {
            connection = null;
        }
    }

    /** Queries once. If there is no End of Data, for whatever reason, the next connection queries all data. */
    private CacheData query(RtrConnection.Open open, @Nullable CacheData previous)
            throws IOException, RtrException, CacheErrorException, VersionException {
        long begun = System.nanoTime();
        resumable = false;
        CacheData next = open.query(previous);
        resumable = true;
        received = new Received(
                next,
                System.currentTimeMillis(),
                group.nanoTime() + next.intervals().expire().toNanos());
        failedAttempts = 0;
        loggedFailure = null;
        if (previous == null || previous.serial() != next.serial()) {
            LOGGER.infof(
                    "RTR cache %s: %d VRPs and %d ASPAs, serial number %s of session %d, version %d, in %.1f s",
                    address,
                    next.vrps().size(),
                    next.aspas().size(),
                    Integer.toUnsignedString(next.serial()),
                    next.sessionId(),
                    next.version(),
                    (System.nanoTime() - begun) / 1e9);
        }
        return next;
    }

    /** A failure is logged once for each reason, until the cache is synchronized again. */
    private void failed(String reason) {
        meters.failed();
        failedAttempts++;
        if (!reason.equals(loggedFailure)) {
            LOGGER.warnf("RTR cache %s: %s. The station connects again", address, reason);
            loggedFailure = reason;
        }
        group.failed(this);
    }

    /** Returns the time to the next attempt: doubled with each failure, and half to all of that at random. */
    private Duration delay() {
        Received newest = received;
        Duration longest = newest == null
                ? Intervals.DEFAULT.retry()
                : newest.data().intervals().retry();
        long doubled = settings.firstRetry().toMillis() << Math.clamp(failedAttempts - 1, 0, MAX_DOUBLINGS);
        long millis = Math.min(doubled, longest.toMillis());
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
