package dev.silkroute.component.nettyff;

/**
 * What became of the messages: {@code accepted = written + failed + dropped + pending} whenever the outbox's lock is free.
 * Guarded by that lock.
 */
final class Account {
    long accepted;
    long written;
    long failed;
    long dropped;
    long refused;
    long pending;
    long pendingBytes;
    long flushes;
    long connections;
    long reconnects;
    long blockedNanos;

    /** Connections that ended or could not be made. */
    int losses;

    /** Messages are on their way. */
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

    /** All that is pending has failed. */
    void lost(long messages) {
        failed += messages;
        pending -= messages;
        pendingBytes = 0;
        losses++;
    }

    NettyFfStatistics statistics() {
        return new NettyFfStatistics(
                accepted, written, failed, dropped, refused, pending, pendingBytes, flushes, reconnects, blockedNanos);
    }
}
