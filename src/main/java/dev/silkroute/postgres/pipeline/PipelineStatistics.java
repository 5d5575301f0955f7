package dev.silkroute.postgres.pipeline;

import java.util.concurrent.atomic.LongAdder;

/** What a pool has done so far. Thread-safe. */
public final class PipelineStatistics {
    final LongAdder flights = new LongAdder();
    final LongAdder statements = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder unknown = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder prepared = new LongAdder();
    final LongAdder reused = new LongAdder();
    final LongAdder opened = new LongAdder();
    final LongAdder lost = new LongAdder();
    final LongAdder nanos = new LongAdder();

    PipelineStatistics() {}

    /** Flights that were sent. */
    public long flights() {
        return flights.sum();
    }

    /** Statements in them. */
    public long statements() {
        return statements.sum();
    }

    /** Flights that failed, whatever their outcome. */
    public long failed() {
        return failed.sum();
    }

    /** Flights of which is not known whether they were applied. */
    public long unknown() {
        return unknown.sum();
    }

    /** Flights that took too long, or whose thread was interrupted. */
    public long cancelled() {
        return cancelled.sum();
    }

    /** Flights for which no connection was free in time. */
    public long refused() {
        return refused.sum();
    }

    /** Statements that had to be prepared. */
    public long prepared() {
        return prepared.sum();
    }

    /** Statements that were prepared already. */
    public long reused() {
        return reused.sum();
    }

    /** Connections opened. */
    public long opened() {
        return opened.sum();
    }

    /** Connections that were lost, or given up after a cancellation. */
    public long lost() {
        return lost.sum();
    }

    /** Time in the air, of all flights together. */
    public long nanos() {
        return nanos.sum();
    }
}
