package dev.silkroute.postgres;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each distinct attribute set once in {@code bmp.attrs}. Remembers which sets are there, so that a set that was
 * written once costs one look into memory afterwards.
 *
 * <p>One for all lanes and threads. Two lanes may write the same set at once: whoever comes second does nothing, and both
 * insert in the order of the hashes, so they can't lock each other out.
 */
public final class AttributeSets {
    private static final String TEMPORARY = """
            DO $$ BEGIN
              IF to_regclass('pg_temp.attrs_new') IS NULL THEN
                CREATE TEMPORARY TABLE attrs_new (LIKE bmp.attrs) ON COMMIT DELETE ROWS;
              END IF;
            END $$""";
    private static final String COLUMNS = "attrs_new (h, " + AttributeColumns.NAMES + ", raw)";
    /** Who asks for a set notes the day, so that upkeep can tell which nobody has asked for in a long time. */
    private static final String INSERT = """
            INSERT INTO bmp.attrs (h, %1$s, raw, last_used)
            SELECT h, %1$s, raw, (now() AT TIME ZONE 'UTC')::date FROM attrs_new ORDER BY h
            ON CONFLICT (h) DO UPDATE SET last_used = excluded.last_used
              WHERE coalesce(attrs.last_used, '-infinity') < excluded.last_used""".formatted(AttributeColumns.NAMES);

    private final Clock clock;
    private final HashSet128 known;
    /** Days since 1970 (UTC); what was known the day before is asked for again. */
    private long day;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /** @param remembered how many sets to remember, 16 bytes each */
    public AttributeSets(int remembered) {
        this(remembered, Clock.systemUTC());
    }

    AttributeSets(int remembered, Clock clock) {
        this.clock = clock;
        known = new HashSet128(remembered);
    }

    /** How often a set of a batch was known to be there. */
    public long hits() {
        return hits.sum();
    }

    /** How often it was not, so that the database had to be asked. */
    public long misses() {
        return misses.sum();
    }

    private record Hash(long high, long low) {}

    private record Place(RouteBatch batch, int set) {}

    /**
     * Writes those sets of the batches that aren't known, in the caller's transaction. They are known when it is committed.
     */
    public void write(LaneTransaction transaction, List<RouteBatch> batches) throws SQLException {
        Map<Hash, Place> sets = new LinkedHashMap<>();
        long asked = 0;
        synchronized (known) {
            forgetEveryDay();
            for (RouteBatch batch : batches) {
                asked += batch.attributeSetCount();
                for (int set = 0; set < batch.attributeSetCount(); set++) {
                    if (!known.contains(batch.hashHigh(set), batch.hashLow(set))) {
                        sets.putIfAbsent(new Hash(batch.hashHigh(set), batch.hashLow(set)), new Place(batch, set));
                    }
                }
            }
        }
        misses.add(sets.size());
        hits.add(asked - sets.size());
        if (!sets.isEmpty()) {
            copy(transaction.connection(), sets);
            transaction.afterCommit(() -> remember(sets.keySet()));
        }
    }

    private void forgetEveryDay() {
        long today = Math.floorDiv(clock.millis(), TimeUnit.DAYS.toMillis(1));
        if (today != day) {
            known.clear();
            day = today;
        }
    }

    private void remember(Set<Hash> written) {
        synchronized (known) {
            written.forEach(hash -> known.add(hash.high, hash.low));
        }
    }

    private static void copy(Connection connection, Map<Hash, Place> sets) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(TEMPORARY);
            try (CopyTable copy = CopyTable.into(connection, COLUMNS)) {
                for (Map.Entry<Hash, Place> entry : sets.entrySet()) {
                    Place place = entry.getValue();
                    byte[] bytes = place.batch.bytes();
                    int from = place.batch.attributesFrom(place.set);
                    int to = place.batch.attributesTo(place.set);
                    CopyBinary row = copy.row(AttributeColumns.COUNT + 2);
                    row.uuid(entry.getKey().high, entry.getKey().low);
                    PathAttributes attributes = decode(bytes, from, to);
                    if (attributes == null) {
                        AttributeColumns.writeNulls(row);
                    } else {
                        AttributeColumns.write(row, attributes);
                    }
                    row.bytea(bytes, from, to);
                }
                copy.finish();
            }
            statement.execute(INSERT);
        }
    }

    /** Null if the set can't be read: its bytes are kept all the same. */
    private static @Nullable PathAttributes decode(byte[] bytes, int from, int to) {
        try {
            return PathAttributes.decode(bytes, from, to);
        } catch (DecodeException e) {
            return null;
        }
    }
}
