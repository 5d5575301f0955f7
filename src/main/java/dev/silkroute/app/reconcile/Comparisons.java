package dev.silkroute.app.reconcile;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rib.RibFeed;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.digest.DigestKey;
import dev.silkroute.digest.TableComparison;
import dev.silkroute.digest.TableName;
import dev.silkroute.digest.TableSelection;
import dev.silkroute.digest.TableSource;
import dev.silkroute.postgres.state.StateDigests;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibDigests;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Compares the RIB with PostgreSQL's current state or with the RIB of the twin, and reads the RIB for a twin that does
 * so. Each read visits all routes of the selected tables, so the number of concurrent ones is bounded. Thread-safe;
 * blocks the caller.
 */
@Singleton
public final class Comparisons {
    private static final String LANE = "current";

    /** Long enough for a record that one copy has applied to reach the other. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final RibFeed feed;
    private final RibDigests rib;
    private final StateDigests state;
    private final @Nullable TwinSettings twin;
    private final Semaphore permits;
    private final int maxReads;
    private final boolean hasRib;
    private volatile @Nullable HttpClient client;

    @Inject
    Comparisons(Rib rib, RibFeed feed, DataSource database, StationConfig config, MeterRegistry meters) {
        this.feed = feed;
        this.rib = new RibDigests(rib, feed::position);
        state = new StateDigests(database, LANE, config.reconcile().timeout());
        twin = TwinSettings.of(config).orElse(null);
        hasRib = config.roles().has(Role.RIB);
        maxReads = config.reconcile().maxReads();
        permits = new Semaphore(maxReads);
        new MeterGroup<>(meters, permits).gauge(Metric.RECONCILE_READS, free -> maxReads - free.availablePermits());
    }

    /** The copy that the RIB is compared with. */
    public enum With {
        DATABASE,
        TWIN
    }

    /** A reason why this station cannot read or compare. */
    public static final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1L;

        /** A cause. */
        public enum Kind {
            /** The role {@code rib}. */
            ROLE,
            /** The configuration of a twin. */
            TWIN,
            /** It may succeed later: the RIB is loading, or too many reads are running. */
            LATER
        }

        private final Kind kind;

        UnavailableException(Kind kind, String reason) {
            super(reason);
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }
    }

    /** A read of the RIB. */
    @FunctionalInterface
    private interface Read<T> {
        T read() throws IOException, InterruptedException;
    }

    /**
     * The result of a comparison.
     *
     * @param exchanged bytes of requests and responses between the two stations
     */
    public record Outcome(TableComparison.Result result, long exchanged) {}

    /**
     * Compares the selected tables.
     *
     * @param maxRoutes the number of differing routes to return for each table
     * @throws IOException if the database or the twin fails
     */
    public Outcome compare(With with, TableSelection selection, int maxRoutes)
            throws IOException, InterruptedException, UnavailableException {
        AtomicLong exchanged = new AtomicLong();
        TableSource there = with == With.DATABASE ? state : twin(exchanged);
        var comparison =
                new TableComparison(rib, there, task -> Thread.ofVirtual().start(task), PAUSE);
        var result = bounded(() -> comparison.compare(selection, maxRoutes));
        return new Outcome(result, exchanged.get());
    }

    private TableSource twin(AtomicLong exchanged) throws UnavailableException {
        TwinSettings settings = twin;
        if (settings == null) {
            throw new UnavailableException(
                    UnavailableException.Kind.TWIN, "This station has no twin: set silkroute.twin.http-url");
        }
        HttpClient created = client;
        if (created == null) {
            created = TwinStation.client(settings);
            client = created;
        }
        return new TwinStation(settings, created, exchanged);
    }

    /** Reads the digests of the RIB's tables. */
    public TableSource.Digests digests(TableSelection selection, DigestKey key, int cells)
            throws UnavailableException, IOException, InterruptedException {
        return bounded(() -> rib.digests(selection, key, cells));
    }

    /** Finds routes of the first selected table of the RIB by the hashes of their keys. */
    public TableSource.Routes routes(TableSelection selection, DigestKey key, Set<Long> keys)
            throws UnavailableException, IOException, InterruptedException {
        return bounded(() -> {
            Optional<TableName> table = rib.find(selection, key);
            return table.isEmpty()
                    ? new TableSource.Routes(feed.position(), List.of())
                    : rib.routes(table.get(), key, keys);
        });
    }

    private <T> T bounded(Read<T> read) throws UnavailableException, IOException, InterruptedException {
        if (!hasRib) {
            throw new UnavailableException(
                    UnavailableException.Kind.ROLE, "Digests are read from the RIB; this station has no role rib");
        }
        if (!feed.ready()) {
            throw new UnavailableException(
                    UnavailableException.Kind.LATER, "The RIB has not caught up with bmp.routes; retry later");
        }
        if (!permits.tryAcquire()) {
            throw new UnavailableException(
                    UnavailableException.Kind.LATER,
                    "Too many concurrent reads of the RIB; retry later (silkroute.reconcile.max-reads is " + maxReads
                            + ")");
        }
        try {
            return read.read();
        } finally {
            permits.release();
        }
    }
}
