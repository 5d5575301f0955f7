package dev.silkroute.live;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of a {@link LiveStream} since its start. For all subscribers so far, {@code matched} is the sum of {@code
 * delivered}, {@code missed}, {@code discarded} and what their queues contain. Thread-safe.
 */
public final class LiveCounters {
    final LongAdder published = new LongAdder();
    final LongAdder encoded = new LongAdder();
    final LongAdder matched = new LongAdder();
    final LongAdder delivered = new LongAdder();
    final LongAdder missed = new LongAdder();
    final LongAdder discarded = new LongAdder();
    final LongAdder rejected = new LongAdder();

    LiveCounters() {}

    /** Messages of the stream, whether or not there are subscribers. */
    public long published() {
        return published.sum();
    }

    /** Messages that were encoded as JSON. */
    public long encoded() {
        return encoded.sum();
    }

    /** Pairs of a message and a subscriber whose filters match it. */
    public long matched() {
        return matched.sum();
    }

    /** Messages that connections have taken from the queues. */
    public long delivered() {
        return delivered.sum();
    }

    /** Messages that did not fit into a queue. */
    public long missed() {
        return missed.sum();
    }

    /** Messages that were in the queue of a subscriber when it left. */
    public long discarded() {
        return discarded.sum();
    }

    /** Subscribers that were rejected because there were too many. */
    public long rejected() {
        return rejected.sum();
    }
}
