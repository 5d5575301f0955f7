package dev.silkroute.postgres.withdrawal;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The work that {@link Withdrawals} have done since they were created, and that is pending. Thread-safe. */
public final class WithdrawalStatistics {
    private static final double NANOS = 1e9;

    private final Map<WithdrawalCause, LongAdder> routes = new EnumMap<>(WithdrawalCause.class);
    private final LongAdder expired = new LongAdder();
    private final LongAdder runs = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile long waiting;
    private volatile long waitingWithdrawals;
    private volatile Instant lastRun = Instant.EPOCH;
    private volatile Duration lastTook = Duration.ZERO;

    WithdrawalStatistics() {
        for (WithdrawalCause cause : WithdrawalCause.values()) {
            routes.put(cause, new LongAdder());
        }
    }

    void withdrawn(WithdrawalCause cause, long count) {
        adder(cause).add(count);
    }

    private LongAdder adder(WithdrawalCause cause) {
        LongAdder adder = routes.get(cause);
        if (adder == null) {
            throw new IllegalStateException(cause.text());
        }
        return adder;
    }

    void expired(long tables) {
        expired.add(tables);
    }

    void waiting(long tables) {
        waiting = tables;
    }

    void waitingWithdrawals(long withdrawals) {
        waitingWithdrawals = withdrawals;
    }

    /** A run is through. */
    public void ran(Instant at, Duration took) {
        lastTook = took;
        lastRun = at;
        runs.increment();
    }

    /** A run has failed; the next one continues after its last transaction. */
    public void failed() {
        failures.increment();
    }

    /** Routes withdrawn, one row of the history each. */
    public long routes(WithdrawalCause cause) {
        return adder(cause).sum();
    }

    /** Tables (a peer's routes in one view) that ended after a timeout. */
    public long expiredTables() {
        return expired.sum();
    }

    /** Tables that had ended or been synchronized and were not purged yet, as of the last check. */
    public long waitingTables() {
        return waiting;
    }

    /** Withdrawals that waited for their topic when that was last checked, or a few less; 0 where they go to none. */
    public long waitingWithdrawals() {
        return waitingWithdrawals;
    }

    /** Runs that came to their end. */
    public long runs() {
        return runs.sum();
    }

    public long failures() {
        return failures.sum();
    }

    /** Returns the time when the last run ended, in seconds since 1970; 0 before the first. */
    public double lastRunSeconds() {
        return lastRun.getEpochSecond() + lastRun.getNano() / NANOS;
    }

    /** Returns the duration of the last run, in seconds. */
    public double lastTookSeconds() {
        return lastTook.toNanos() / NANOS;
    }
}
