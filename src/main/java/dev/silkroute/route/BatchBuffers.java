package dev.silkroute.route;

import dev.silkroute.net.ByteSink;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * The buffers of a record that is being built. They are shared by all builders of the process: only a few records are
 * built at a time, whereas thousands of sessions have a builder, and most of them are silent. Without sharing, either
 * each session would keep large buffers, or each large record would have to grow new ones.
 *
 * <p>Between records, at most {@value #MAX_FREE} sets of buffers are kept. Each has four parts, none of which keeps
 * more than {@value #KEPT_BYTES} bytes, so they take at most 64 MiB together, and less with fewer processors.
 */
final class BatchBuffers {
    /** Size above which a buffer is not kept for the next record. */
    static final int KEPT_BYTES = 2 << 20;

    /** Sets of buffers that are kept, if there are as many processors; builders that find none get new ones. */
    static final int MAX_FREE = 8;

    private static final ArrayBlockingQueue<BatchBuffers> FREE =
            new ArrayBlockingQueue<>(Math.min(MAX_FREE, Runtime.getRuntime().availableProcessors()));

    final ByteSink peers = new ByteSink();
    final ByteSink groups = new ByteSink();
    final AttributeSetTable attributes = new AttributeSetTable();

    private BatchBuffers() {}

    /** Returns empty buffers, which the caller owns until it calls {@link #giveBack}. */
    static BatchBuffers take() {
        BatchBuffers free = FREE.poll();
        return free == null ? new BatchBuffers() : free;
    }

    void reset() {
        peers.reset();
        groups.reset();
        attributes.reset();
    }

    /** Lets other builders have the buffers. They are dropped if enough are kept already. */
    void giveBack() {
        peers.release(KEPT_BYTES);
        groups.release(KEPT_BYTES);
        attributes.release(KEPT_BYTES);
        FREE.offer(this);
    }
}
