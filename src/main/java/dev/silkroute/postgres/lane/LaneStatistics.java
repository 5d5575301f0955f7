package dev.silkroute.postgres.lane;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a lane. Thread-safe. */
public final class LaneStatistics {
    private final LongAdder rows = new LongAdder();
    private final LongAdder records = new LongAdder();
    private final LongAdder transactions = new LongAdder();
    private final LongAdder superseded = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder gaps = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder setAside = new LongAdder();
    private final LongAdder unitsSetAside = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder rejections = new LongAdder();

    LaneStatistics() {}

    void stored(long newRows, int newRecords, long supersededEvents) {
        rows.add(newRows);
        records.add(newRecords);
        superseded.add(supersededEvents);
        transactions.increment();
    }

    void duplicates(int count) {
        duplicates.add(count);
    }

    void gap(long offsets) {
        gaps.increment();
        skipped.add(offsets);
    }

    void setAside(int units) {
        setAside.increment();
        unitsSetAside.add(units);
    }

    void retried() {
        retries.increment();
    }

    void rejected() {
        rejections.increment();
    }

    /** Rows that the writer reported. */
    public long rows() {
        return rows.sum();
    }

    /** Records whose transaction is committed. */
    public long records() {
        return records.sum();
    }

    /** Events that were not stored, because their router had a newer session. */
    public long superseded() {
        return superseded.sum();
    }

    /** Transactions that stored records. */
    public long transactions() {
        return transactions.sum();
    }

    /** Records that were delivered again and ignored. */
    public long duplicates() {
        return duplicates.sum();
    }

    /** Returns how often records expired before the lane read them. */
    public long gaps() {
        return gaps.sum();
    }

    /** The number of offsets that expired. */
    public long skipped() {
        return skipped.sum();
    }

    /** Records, or parts of records, that could not be stored and were set aside. */
    public long recordsSetAside() {
        return setAside.sum();
    }

    /** The number of units, such as events, in what was set aside. */
    public long unitsSetAside() {
        return unitsSetAside.sum();
    }

    /** Transactions that were retried because the database was unavailable. */
    public long retries() {
        return retries.sum();
    }

    /** Batches that did not continue at the lane's offset. */
    public long rejections() {
        return rejections.sum();
    }
}
