package dev.silkroute.postgres.lane;

import java.util.List;

/**
 * Splits a list of records into consecutive parts of one transaction each, so that the memory and duration of a
 * transaction do not depend on how many records a reader has gathered. One that exceeds all limits is a part by
 * itself, and so is each record of a source of which a record could not be stored.
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
    /** Records before this index are parts by themselves. */
    private int isolatedTo;

    private final SlowSources slow;

    LaneParts(List<LaneRecord<T>> records, LaneWriter<T> writer, SlowSources slow) {
        this.records = records;
        this.writer = writer;
        this.slow = slow;
        cut();
    }

    /** Returns whether all records are stored. */
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

    /** Makes each record of the current part a part by itself. */
    void isolate() {
        isolatedTo = to;
        cut();
    }

    /** Returns whether the current part is a record that is to be stored by itself, within the limits of its source. */
    boolean isIsolated() {
        return from < isolatedTo || to == from + 1 && isSlow(from);
    }

    private boolean isSlow(int index) {
        return !slow.isEmpty() && slow.contains(writer.source(records.get(index).value()));
    }

    private void cut() {
        if (from < isolatedTo || from < records.size() && isSlow(from)) {
            to = from + 1;
            return;
        }
        long bytes = 0;
        long rows = 0;
        to = from;
        while (to < records.size() && to - from < most) {
            T value = records.get(to).value();
            bytes += writer.bytes(value);
            rows += writer.rows(value);
            if (to > from && (bytes > MOST_BYTES || rows > MOST_ROWS || isSlow(to))) {
                return;
            }
            to++;
        }
    }
}
