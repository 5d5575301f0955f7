package dev.silkroute.component.nettyff;

/**
 * The mutable counters behind {@link NettyFfStatistics}. Guarded by the lock of the {@link SendBuffer}, which states
 * the invariant.
 */
final class SendCounters {
    long accepted;
    long written;
    long failed;
    long dropped;
    long rejected;
    long pending;
    long pendingBytes;
    long flushes;
    long connections;
    long reconnects;
    long blockedNanos;

    /** The number of connections that ended or could not be established. */
    int losses;

    /** Counts messages that were copied into the buffer. */
    void accepted(int messages, int bytes) {
        accepted += messages;
        pending += messages;
        pendingBytes += bytes;
    }

    void written(Chunk chunk) {
        written += chunk.messages;
        pending -= chunk.messages;
        pendingBytes -= chunk.bytes;
    }

    /**
     * Counts everything that is pending as failed.
     *
     * @param messages equals {@code pending}
     */
    void lost(long messages) {
        failed += messages;
        pending -= messages;
        pendingBytes = 0;
        losses++;
    }

    NettyFfStatistics statistics() {
        return new NettyFfStatistics(
                accepted, written, failed, dropped, rejected, pending, pendingBytes, flushes, reconnects, blockedNanos);
    }
}
