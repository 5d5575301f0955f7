package dev.silkroute.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/**
 * The last batches of the stream, bounded by their size. Batches are kept rather than messages because they are
 * many times smaller than their JSON, which nobody needs unless a subscriber resumes. Not thread-safe.
 */
final class RecentBatches {
    private final Deque<Recent> batches = new ArrayDeque<>();
    private final long maxBytes;
    private long bytes;

    /** @param first position of the batch's first message */
    private record Recent(long first, StreamBatch batch) {}

    RecentBatches(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    void add(long first, StreamBatch batch) {
        batches.add(new Recent(first, batch));
        bytes += batch.bytes();
        while (bytes > maxBytes) {
            bytes -= batches.remove().batch.bytes();
        }
    }

    /** Returns the position of the oldest message that is kept, or {@code next} if there is none. */
    long oldest(long next) {
        return batches.isEmpty() ? next : batches.getFirst().first;
    }

    /** Calls a consumer with the batches that have messages after a position, and the position of their first one. */
    void forEachAfter(long position, BiConsumer<Long, StreamBatch> consumer) {
        for (Recent recent : batches) {
            if (recent.first + recent.batch.messages() - 1 > position) {
                consumer.accept(recent.first, recent.batch);
            }
        }
    }

    long bytes() {
        return bytes;
    }
}
