package dev.silkroute.postgres.history;

import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Ensures that {@code bmp.route_event} has the daily partition that a batch needs and those of the next two days, so
 * that they exist before midnight. Caches the days that exist. Thread-safe.
 */
public final class Partitions {
    private static final String ENSURE = "SELECT bmp.ensure_partitions(to_timestamp(?), to_timestamp(?))";
    private static final long DAY_SECONDS = TimeUnit.DAYS.toSeconds(1);
    private static final int DAYS_AHEAD = 2;

    private final Set<Long> days = ConcurrentHashMap.newKeySet();

    /** Must be called outside a transaction, so that the lock on the table is released at once. */
    public void ensure(Connection connection, long micros) throws SQLException {
        long day = Math.floorDiv(TimeUnit.MICROSECONDS.toSeconds(micros), DAY_SECONDS);
        if (days.contains(day) && days.contains(day + 1)) {
            return;
        }
        Sql.query(connection, ENSURE, _ -> {}, (double) day * DAY_SECONDS, (double) (day + DAYS_AHEAD) * DAY_SECONDS);
        for (int ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
            days.add(day + ahead);
        }
    }

    /** Ensures the partitions of today, by the database's clock, and of the next two days. */
    public void ensureToday(Connection connection) throws SQLException {
        ensure(connection, Sql.number(connection, "SELECT (extract(epoch FROM now()) * 1000000)::bigint"));
    }

    /** Clears the cache after a failure, because a partition may have been dropped. */
    public void forget() {
        days.clear();
    }
}
