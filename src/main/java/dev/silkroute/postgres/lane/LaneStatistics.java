package dev.silkroute.postgres.lane;

import java.util.concurrent.atomic.LongAdder;

/** What a lane has done since it was made. For all threads. */
public final class LaneStatistics {
    private final LongAdder rows = new LongAdder();
    private final LongAdder records = new LongAdder();
    private final LongAdder transactions = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder gaps = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder setAside = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder refusals = new LongAdder();

    LaneStatistics() {}

    void stored(long newRows, int newRecords) {
        rows.add(newRows);
        records.add(newRecords);
        transactions.increment();
    }

    void duplicates(int count) {
        duplicates.add(count);
    }

    void gaps(long count, long offsets) {
        gaps.add(count);
        skipped.add(offsets);
    }

    void setAside() {
        setAside.increment();
    }

    void retried() {
        retries.increment();
    }

    void refused() {
        refusals.increment();
    }

    /** Rows written, as the writer counts them. */
    public long rows() {
        return rows.sum();
    }

    /** Records whose transaction is committed. */
    public long records() {
        return records.sum();
    }

    /** Transactions that stored something. */
    public long transactions() {
        return transactions.sum();
    }

    /** Records that came again and were not stored again. */
    public long duplicates() {
        return duplicates.sum();
    }

    /** How often the topic did not have all records any more from where the lane stood. */
    public long gaps() {
        return gaps.sum();
    }

    /** Offsets in those gaps. */
    public long skipped() {
        return skipped.sum();
    }

    /** Records that could not be stored and were put aside. */
    public long recordsSetAside() {
        return setAside.sum();
    }

    /** How often the database could not take a batch and it was tried again. */
    public long retries() {
        return retries.sum();
    }

    /** Batches that did not continue where the lane stands. */
    public long refusals() {
        return refusals.sum();
    }
}
