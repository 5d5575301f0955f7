package dev.silkroute.postgres.pipeline;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a pool. Thread-safe. */
public final class PipelineStatistics {
    final LongAdder pipelines = new LongAdder();
    final LongAdder statements = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder unknown = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    final LongAdder rejected = new LongAdder();
    final LongAdder prepared = new LongAdder();
    final LongAdder reused = new LongAdder();
    final LongAdder opened = new LongAdder();
    final LongAdder lost = new LongAdder();
    final LongAdder nanos = new LongAdder();

    PipelineStatistics() {}

    /** Pipelines that were sent. */
    public long pipelines() {
        return pipelines.sum();
    }

    /** Statements in them. */
    public long statements() {
        return statements.sum();
    }

    /** Pipelines that failed, whatever their outcome. */
    public long failed() {
        return failed.sum();
    }

    /** Pipelines for which it is unknown whether they were applied. */
    public long unknown() {
        return unknown.sum();
    }

    /** Pipelines that timed out, or whose thread was interrupted. */
    public long cancelled() {
        return cancelled.sum();
    }

    /** Pipelines for which no connection was free in time. */
    public long rejected() {
        return rejected.sum();
    }

    /** Statements that had to be prepared. */
    public long prepared() {
        return prepared.sum();
    }

    /** Statements that were already prepared. */
    public long reused() {
        return reused.sum();
    }

    /** Connections opened. */
    public long opened() {
        return opened.sum();
    }

    /** Connections that were lost, or closed after a cancellation. */
    public long lost() {
        return lost.sum();
    }

    /** The total duration of all pipelines. */
    public long nanos() {
        return nanos.sum();
    }
}
