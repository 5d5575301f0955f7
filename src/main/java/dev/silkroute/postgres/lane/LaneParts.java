package dev.silkroute.postgres.lane;

import java.util.List;

/**
 * A list of records in parts, one after the other, each of which is one transaction: so what a transaction holds in memory, and how long it
 * takes, doesn't depend on how much a reader had gathered. A record is never cut: one that is larger than all bounds is a part by itself.
 */
final class LaneParts<T> {
    /** Bytes of records in one transaction. */
    static final long MOST_BYTES = 8 << 20;

    /** Rows that they may make: some ten seconds of PostgreSQL's time where all of them are new, and bytes say little of that. */
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

    /** The part whose turn it is. */
    List<LaneRecord<T>> part() {
        return records.subList(from, to);
    }

    /** The part is stored: now it is the next one's turn. */
    void next() {
        from = to;
        cut();
    }

    /** The part was too much for one transaction: from here on parts have half as many records at most, or one. */
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
