package dev.silkroute.app.rpki;

import dev.silkroute.app.config.HostPort;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Slurm;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The VRPs of RTR caches in the order of preference (RFC 8210, Section 10). One cache's VRPs are in use at a time, and
 * are replaced as a whole: at an End of Data of the same cache, of a preferred one, or of another one while that cache
 * is not synchronized. A cache is connected while no preferred one is synchronized or in its first attempt.
 *
 * <p>VRPs are used until they expire, whether their cache is connected or not.
 */
final class RtrVrps implements VrpSource {
    private static final Logger LOGGER = Logger.getLogger(RtrVrps.class);

    /** The state of a cache's connection. */
    private enum Condition {
        /** The first attempt since the start, or since the cache was synchronized, is not over. */
        CONNECTING,
        /** Connected, and its data have been received. */
        SYNCHRONIZED,
        /** The latest attempt has failed, further ones follow. */
        FAILED
    }

    /**
     * The VRPs in use.
     *
     * @param cacheTable without local exceptions
     */
    private record Used(
            RtrCache cache,
            VrpTable cacheTable,
            @Nullable Slurm exceptions,
            VrpTable table,
            RtrCache.Received received) {}

    private final RtrSettings settings;
    private final LongSupplier clock;
    private final @Nullable ExceptionsFile exceptions;
    private final List<RtrCache> caches = new ArrayList<>();
    private final Map<RtrCache, Condition> conditions = new HashMap<>();
    private final Set<RtrCache> dismissed = new HashSet<>();
    private volatile @Nullable Used used;
    private boolean expiryLogged;

    RtrVrps(RtrSettings settings) {
        this(settings, System::nanoTime);
    }

    /** @param clock by which VRPs expire, in nanoseconds */
    RtrVrps(RtrSettings settings, LongSupplier clock) {
        this.settings = settings;
        this.clock = clock;
        exceptions = settings.exceptions().map(ExceptionsFile::new).orElse(null);
    }

    long nanoTime() {
        return clock.getAsLong();
    }

    @Override
    public VrpTable table() {
        Used now = used;
        return now == null || now.received().isExpired(nanoTime()) ? VrpTable.EMPTY : now.table();
    }

    @Override
    public AspaTable aspas() {
        Used now = used;
        return now == null || now.received().isExpired(nanoTime())
                ? AspaTable.EMPTY
                : now.received().data().aspas();
    }

    /** Returns 0: a cache that sends an invalid ASPA violates the protocol, which is an error of the connection. */
    @Override
    public int rejectedAspas() {
        return 0;
    }

    @Override
    public long updatedAtMillis() {
        Used now = used;
        return now == null ? 0 : now.received().atMillis();
    }

    /** Connects, and waits for the first VRPs until the start timeout or until no cache can be reached. */
    @Override
    public synchronized void start(MeterRegistry meters) {
        if (exceptions != null) {
            exceptions.reload();
        }
        for (HostPort address : settings.caches()) {
            RtrCache cache = new RtrCache(address, settings, this, meters);
            caches.add(cache);
            conditions.put(cache, Condition.CONNECTING);
        }
        caches.forEach(RtrCache::start);
        long deadline = System.nanoTime() + settings.startTimeout().toNanos();
        try {
            long remaining = deadline - System.nanoTime();
            while (used == null && remaining > 0 && conditions.containsValue(Condition.CONNECTING)) {
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
                remaining = deadline - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (used == null) {
            LOGGER.warnf("No RTR cache has sent its VRPs yet: routes have no validity until one has");
        }
    }

    /** Applies local exceptions that have changed, and logs once if the VRPs have expired. */
    @Override
    public synchronized void reload() {
        if (exceptions != null && exceptions.reload()) {
            Used now = used;
            if (now != null) {
                use(now.cache());
            } else {
                caches.stream().filter(this::isSynchronized).findFirst().ifPresent(this::use);
            }
        }
        logExpiry();
    }

    private void logExpiry() {
        Used now = used;
        if (now == null || !now.received().isExpired(nanoTime())) {
            expiryLogged = false;
        } else if (!expiryLogged) {
            LOGGER.warnf(
                    "The VRPs of RTR cache %s have expired, %d s after its last End of Data: routes have no validity"
                            + " until a cache is synchronized",
                    now.cache(), now.received().data().intervals().expire().toSeconds());
            expiryLogged = true;
        }
    }

    /** Waits until each preferred cache has failed, so that another one is needed. */
    synchronized void awaitTurn(RtrCache cache) throws InterruptedException {
        while (!preferredTo(cache).stream().allMatch(each -> conditions.get(each) == Condition.FAILED)) {
            wait();
        }
        dismissed.remove(cache);
    }

    private List<RtrCache> preferredTo(RtrCache cache) {
        return caches.subList(0, caches.indexOf(cache));
    }

    /** Takes over the data of an End of Data, and disconnects the caches that are not needed any more. */
    synchronized void received(RtrCache cache) {
        conditions.put(cache, Condition.SYNCHRONIZED);
        if (preferredTo(cache).stream().anyMatch(this::isSynchronized)) {
            dismiss(cache);
            return;
        }
        use(cache);
        caches.subList(caches.indexOf(cache) + 1, caches.size()).forEach(this::dismiss);
        notifyAll();
    }

    private void dismiss(RtrCache cache) {
        conditions.put(cache, Condition.CONNECTING);
        dismissed.add(cache);
        cache.disconnect();
    }

    /** Takes note that an attempt or a connection has failed. */
    synchronized void failed(RtrCache cache) {
        conditions.put(cache, isSynchronized(cache) ? Condition.CONNECTING : Condition.FAILED);
        notifyAll();
    }

    synchronized boolean isSynchronized(RtrCache cache) {
        return conditions.get(cache) == Condition.SYNCHRONIZED;
    }

    /** Returns whether the cache has been disconnected because a preferred one is synchronized. */
    synchronized boolean isDismissed(RtrCache cache) {
        return dismissed.contains(cache);
    }

    boolean isUsed(RtrCache cache) {
        Used now = used;
        return now != null && now.cache() == cache && !now.received().isExpired(nanoTime());
    }

    /** Uses the newest data of a cache, unless the local exceptions to them have never been readable. */
    private void use(RtrCache cache) {
        RtrCache.Received received = cache.received();
        Slurm slurm = exceptions == null ? null : exceptions.exceptions();
        if (received == null || (exceptions != null && slurm == null)) {
            return;
        }
        Used before = used;
        VrpTable cacheTable = received.data().vrps();
        VrpTable table = before != null && before.cacheTable() == cacheTable && before.exceptions() == slurm
                ? before.table()
                : slurm == null ? cacheTable : slurm.apply(cacheTable);
        used = new Used(cache, cacheTable, slurm, table, received);
        if (before == null || before.cache() != cache) {
            LOGGER.infof("%d VRPs of RTR cache %s are in use", table.size(), cache);
        }
    }

    @Override
    public void close() {
        List<RtrCache> all;
        synchronized (this) {
            all = List.copyOf(caches);
        }
        all.forEach(RtrCache::close);
    }
}
