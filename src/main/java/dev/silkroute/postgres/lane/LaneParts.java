package dev.silkroute.postgres.lane;

import java.util.List;

/**
 * Splits a list of records into consecutive parts of one transaction each, so that the memory and duration of a
 * transaction do not depend on how many records a reader has gathered. A record is never split: one that exceeds all
 * limits is a part by itself.
 */
final class LaneParts<T> {
    /** Maximum size of the records of one transaction. */
    static final long MOST_BYTES = 8 << 20;

    /**
     * Maximum number of rows of a transaction: about ten seconds for PostgreSQL if all are new, which bytes do not
     * predict.
     */
    static final long MOST_ROWS = 250_000;

    private final List<LaneRecord<T>> records;
    private final LaneWriter<T> writer;
    private int most = Integer.MAX_VALUE;
    private int from;
    private int to;

    LaneParts(List<LaneRecord<T>> records, LaneWriter<T> writer) {
        this.records = records;
        this.writer = writer;
        cut();
    }

    /** Whether all records are stored. */
    boolean over() {
        return from == records.size();
    }

    /** The current part. */
    List<LaneRecord<T>> part() {
        return records.subList(from, to);
    }

    /** Moves to the next part. */
    void next() {
        from = to;
        cut();
    }

    /** Halves the current part and limits all later ones to its new number of records. */
    void halve() {
        most = Math.max(1, (to - from) / 2);
        cut();
    }

    private void cut() {
        long bytes = 0;
        long rows = 0;
        to = from;
        while (to < records.size() && to - from < most) {
            T value = records.get(to).value();
            bytes += writer.bytes(value);
            rows += writer.rows(value);
            if (to > from && (bytes > MOST_BYTES || rows > MOST_ROWS)) {
                return;
            }
            to++;
        }
    }
}
