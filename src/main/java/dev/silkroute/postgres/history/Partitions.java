package dev.silkroute.postgres.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that {@code bmp.route_event} has the daily partition that a batch needs, and the next two, so that midnight
 * finds them made. Remembers the days that are there. For all lanes and threads.
 */
public final class Partitions {
    private static final String ENSURE = "SELECT bmp.ensure_partitions(to_timestamp(?), to_timestamp(?))";
    private static final long DAY_SECONDS = TimeUnit.DAYS.toSeconds(1);
    private static final int DAYS_AHEAD = 2;

    private final Set<Long> days = ConcurrentHashMap.newKeySet();

    /** To be called outside a transaction: the table's lock is let go at once. */
    public void ensure(Connection connection, long micros) throws SQLException {
        long day = Math.floorDiv(TimeUnit.MICROSECONDS.toSeconds(micros), DAY_SECONDS);
        if (days.contains(day) && days.contains(day + 1)) {
            return;
        }
        try (PreparedStatement ensure = connection.prepareStatement(ENSURE)) {
            ensure.setDouble(1, day * DAY_SECONDS);
            ensure.setDouble(2, (day + DAYS_AHEAD) * DAY_SECONDS);
            ensure.execute();
        }
        for (int ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
            days.add(day + ahead);
        }
    }

    /** After a failure, in case somebody dropped one. */
    public void forget() {
        days.clear();
    }
}
