package dev.silkroute.postgres.dimension;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.copy.DatabaseIdentity;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Stores each distinct attribute set once in {@code bmp.attribute_set}. It caches the hashes of stored sets, so that a
 * set that has been written once costs one lookup in memory afterwards, and no computation of its hash.
 *
 * <p>One instance serves all lanes and threads. If several lanes need the same new set at once, one writes it while the
 * others wait. Writers in other processes may insert the same sets: all of them insert in the order of the hashes, so
 * that they cannot deadlock, and the second one looks again.
 */
public final class AttributeSets {
    private static final String FIND =
            "SELECT attribute_hash, coalesce(last_used, '-infinity') < (now() AT TIME ZONE 'UTC')::date FROM"
                    + " bmp.attribute_set WHERE attribute_hash = ANY (?)";
    /**
     * Records today's date for sets that are looked up, so that maintenance can find sets that have not been used for a
     * long time. A set that maintenance is just deleting is not returned, and is inserted again.
     */
    private static final String TOUCH = """
        WITH pending AS MATERIALIZED (SELECT attribute_hash FROM bmp.attribute_set WHERE attribute_hash = ANY (?) ORDER BY attribute_hash FOR NO KEY UPDATE)
        UPDATE bmp.attribute_set a SET last_used = (now() AT TIME ZONE 'UTC')::date FROM pending WHERE a.attribute_hash = pending.attribute_hash
        RETURNING a.attribute_hash\
        """;

    private static final String TARGET = "bmp.attribute_set (attribute_hash, " + AttributeColumns.NAMES + ", raw)";
    private static final String UNIQUE_VIOLATION = "23505";
    /** SQLSTATE serialization_failure, which a lane retries. */
    private static final String TRY_AGAIN = "40001";

    private static final int TRIES = 10;

    /** The number of sets that are looked up together. */
    private static final int TOGETHER = 64;

    private final Clock clock;
    /** The lock of itself and of the three fields that follow. */
    private final KnownHashes known;

    private final long[] keysHigh = new long[TOGETHER];
    private final long[] keysLow = new long[TOGETHER];

    @SuppressWarnings("unused") // written so that the JIT compiler cannot eliminate the prefetching loads
    private long loaded;

    /** Sets that some thread is currently looking up or writing. */
    private final Set<UUID> pending = new HashSet<>();
    /** Days since 1970 (UTC); sets cached on an earlier day are looked up again. */
    private long day;
    /** The database that has the cached sets; another one may lack them. */
    private DatabaseIdentity database = DatabaseIdentity.NONE;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /** @param remembered the number of sets to cache, 32 bytes each */
    public AttributeSets(int remembered) {
        this(remembered, Clock.systemUTC());
    }

    public AttributeSets(int remembered, Clock clock) {
        this.clock = clock;
        known = new KnownHashes(remembered);
    }

    /** The number of sets found in the cache. */
    public long hits() {
        return hits.sum();
    }

    /** The number of sets that had to be looked up in the database. */
    public long misses() {
        return misses.sum();
    }

    /** The position of a set, and the halves of its keyed hash. */
    private record Place(RouteBatch batch, int set, long keyHigh, long keyLow) {}

    /**
     * Ensures that the sets of the batches are stored before rows that refer to them. Sets that nothing refers to do no
     * harm, so they are written in a transaction of their own, which does not wait for the disk: the log is written in
     * order, so the commit of the rows, which does wait, includes the sets. If the server is lost between the two
     * commits, so is the connection, and with it the rows.
     *
     * @param connection in auto-commit mode; the rows must be written through it too
     * <p>Afterwards the batches know the hashes of their sets.
     *
     * @return must be run after the commit of those rows, when the sets are certain to be durable; caches them
     */
    public Runnable write(Connection connection, List<RouteBatch> batches) throws SQLException {
        DatabaseIdentity current = DatabaseIdentity.of(connection);
        TreeMap<UUID, Place> sets = unknown(batches, current);
        if (sets.isEmpty()) {
            return () -> {};
        }
        List<UUID> hashes = List.copyOf(sets.keySet());
        begin(hashes);
        try {
            write(connection, sets);
        } finally {
            end(hashes);
        }
        return () -> remember(sets, current);
    }

    /** Returns the uncached sets in PostgreSQL's order of uuids. Any order that all writers share is sufficient. */
    private TreeMap<UUID, Place> unknown(List<RouteBatch> batches, DatabaseIdentity current) {
        TreeMap<UUID, Place> sets = new TreeMap<>(AttributeSets::compareBytes);
        List<Place> missing = new ArrayList<>();
        long wanted = 0;
        synchronized (known) {
            forgetOthers(current);
            for (RouteBatch batch : batches) {
                int count = batch.attributeSetCount();
                wanted += count;
                for (int first = 0; first < count; first += TOGETHER) {
                    find(batch, first, Math.min(TOGETHER, count - first), missing);
                }
            }
        }
        for (Place place : missing) {
            UUID hash = new UUID(place.batch.hashHigh(place.set), place.batch.hashLow(place.set));
            sets.putIfAbsent(hash, place);
        }
        misses.add(sets.size());
        hits.add(wanted - sets.size());
        return sets;
    }

    /** Looks up some sets of a batch together, so that their cache misses overlap. */
    private void find(RouteBatch batch, int first, int count, List<Place> missing) {
        for (int i = 0; i < count; i++) {
            int from = batch.attributesFrom(first + i);
            int length = batch.attributesTo(first + i) - from;
            keysHigh[i] = KeyedHash.of(length, batch.bytes(), from, length);
            keysLow[i] = KeyedHash.more(length, batch.bytes(), from, length);
        }
        long touched = 0;
        for (int i = 0; i < count; i++) {
            touched += known.touch(keysLow[i]);
        }
        loaded = touched;
        for (int i = 0; i < count; i++) {
            int at = known.find(keysHigh[i], keysLow[i]);
            if (at == KnownHashes.NONE) {
                missing.add(new Place(batch, first + i, keysHigh[i], keysLow[i]));
            } else {
                batch.setHash(first + i, known.high(at), known.low(at));
            }
        }
    }

    private static int compareBytes(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }

    private void forgetOthers(DatabaseIdentity current) {
        long today = Math.floorDiv(clock.millis(), TimeUnit.DAYS.toMillis(1));
        if (today != day || !database.equals(current)) {
            known.clear();
            day = today;
            database = current;
        }
    }

    private void remember(Map<UUID, Place> written, DatabaseIdentity writtenTo) {
        synchronized (known) {
            if (!database.equals(writtenTo)) {
                return;
            }
            written.forEach((hash, place) -> known.put(
                    place.keyHigh, place.keyLow, hash.getMostSignificantBits(), hash.getLeastSignificantBits()));
        }
    }

    /** Waits until no other thread is writing one of these sets. All or none are reserved, so there is no deadlock. */
    private void begin(List<UUID> hashes) throws SQLException {
        synchronized (pending) {
            while (hashes.stream().anyMatch(pending::contains)) {
                try {
                    pending.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new SQLException(
                            "interrupted while another lane writes the same attribute sets", TRY_AGAIN, e);
                }
            }
            pending.addAll(hashes);
        }
    }

    private void end(List<UUID> hashes) {
        synchronized (pending) {
            hashes.forEach(pending::remove);
            pending.notifyAll();
        }
    }

    private static void write(Connection connection, TreeMap<UUID, Place> sets) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                LaneTransaction.run(connection, transaction -> copyMissing(connection, sets));
                return;
            } catch (SQLException e) {
                if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                    throw e;
                }
                if (tries == TRIES) {
                    throw new SQLException("other writers keep inserting the same attribute sets", TRY_AGAIN, e);
                }
            }
        }
    }

    /** @return the number of missing sets */
    private static long copyMissing(Connection connection, TreeMap<UUID, Place> sets) throws SQLException {
        Sql.update(connection, "SET LOCAL synchronous_commit = off");
        TreeMap<UUID, Place> missing = new TreeMap<>(sets);
        Set<UUID> old = new HashSet<>();
        Sql.query(
                connection,
                FIND,
                row -> {
                    UUID hash = row.getObject(1, UUID.class);
                    if (row.getBoolean(2)) {
                        old.add(hash);
                    } else {
                        missing.remove(hash);
                    }
                },
                Sql.array(connection, "uuid", sets.keySet()));
        if (!old.isEmpty()) {
            Sql.query(
                    connection,
                    TOUCH,
                    row -> missing.remove(row.getObject(1, UUID.class)),
                    Sql.array(connection, "uuid", old));
        }
        if (missing.isEmpty()) {
            return 0;
        }
        try (CopyTable copy = CopyTable.into(connection, TARGET)) {
            for (Map.Entry<UUID, Place> entry : missing.entrySet()) {
                write(copy.row(AttributeColumns.COUNT + 2), entry.getKey(), entry.getValue());
            }
            return copy.finish();
        }
    }

    private static void write(CopyBinary row, UUID hash, Place place) {
        byte[] bytes = place.batch.bytes();
        int from = place.batch.attributesFrom(place.set);
        int to = place.batch.attributesTo(place.set);
        row.uuid(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
        PathAttributes attributes = decode(bytes, from, to);
        if (attributes == null) {
            AttributeColumns.writeNulls(row);
        } else {
            AttributeColumns.write(row, attributes);
        }
        row.bytea(bytes, from, to);
    }

    /** Returns null if the set cannot be decoded; its bytes are stored nevertheless. */
    private static @Nullable PathAttributes decode(byte[] bytes, int from, int to) {
        try {
            return PathAttributes.decode(bytes, from, to);
        } catch (DecodeException e) {
            return null;
        }
    }
}
