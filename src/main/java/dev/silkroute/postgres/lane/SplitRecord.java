package dev.silkroute.postgres.lane;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores one record that could not be stored with others: as a whole or, if that fails, in halves of halves, in their
 * order. A unit that cannot be stored by itself is set aside. The time for that is limited, and so is the number of
 * parts that are set aside: beyond either, the rest of the record is set aside as one part.
 */
final class SplitRecord {
    /** Maximum number of parts of one record that are set aside. */
    static final int MOST_SET_ASIDE = 64;

    private final Storage storage;
    private final long limitNanos;
    private final LongSupplier nanos;

    /** Stores or sets aside a range of a record's units, each in a transaction of its own. */
    interface Storage {
        /** @return the number of rows written */
        long write(int from, int to) throws SQLException;

        void setAside(int from, int to, Exception problem) throws SQLException;
    }

    /**
     * @param limitNanos the time for all parts, after the attempt to store the whole record
     * @param nanos a monotonic clock
     */
    SplitRecord(Storage storage, long limitNanos, LongSupplier nanos) {
        this.storage = storage;
        this.limitNanos = limitNanos;
        this.nanos = nanos;
    }

    private record Range(int from, int to) {}

    /**
     * Stores the units from an index on.
     *
     * @param from units before this one are already stored
     * @param units the number of the record's units
     * @return the number of rows written
     * @throws SQLException if the record is not the cause of a failure; what has been stored until then stays stored
     */
    long store(int from, int units) throws SQLException {
        Deque<Range> ranges = new ArrayDeque<>();
        int end = Math.max(units, from + 1);
        ranges.push(new Range(from, end));
        long rows = 0;
        int setAside = 0;
        long deadline = 0;
        @Nullable Exception problem = null;
        while (!ranges.isEmpty()) {
            Range range = ranges.pop();
            if (problem != null && (setAside == MOST_SET_ASIDE || nanos.getAsLong() - deadline >= 0)) {
                storage.setAside(range.from, end, problem);
                return rows;
            }
            try {
                rows += storage.write(range.from, range.to);
            } catch (SQLException | RuntimeException e) {
                if (!LaneProblem.isTheRecords(e)) {
                    throw e;
                }
                deadline = problem == null ? nanos.getAsLong() + limitNanos : deadline;
                problem = e;
                if (range.to - range.from > 1) {
                    int middle = (range.from + range.to) >>> 1;
                    ranges.push(new Range(middle, range.to));
                    ranges.push(new Range(range.from, middle));
                } else {
                    storage.setAside(range.from, range.to, e);
                    setAside++;
                }
            }
        }
        return rows;
    }
}
