package dev.silkroute.component.nettyff;

/**
 * A consistent snapshot of an endpoint's counters since its creation. {@code accepted = written + failed + dropped +
 * pending} always holds.
 *
 * @param accepted messages whose exchange completed successfully
 * @param written messages that the kernel has taken; TCP does not report whether the peer has received them
 * @param failed messages that were accepted and lost because the connection failed, could not be established, or was
 *     closed before they were written
 * @param dropped messages that did not fit, with {@code overflow=DROP}
 * @param rejected messages that were not accepted, so that their exchange failed
 * @param pending messages that are accepted and not yet written or lost
 * @param pendingBytes the bytes of the pending messages, limited by {@code maxPendingBytes}
 * @param flushes the number of times that buffers were handed to the socket
 * @param reconnects the number of connections after the first
 * @param blockedNanos the time that senders have waited for space, summed over all senders
 */
public record NettyFfStatistics(
        long accepted,
        long written,
        long failed,
        long dropped,
        long rejected,
        long pending,
        long pendingBytes,
        long flushes,
        long reconnects,
        long blockedNanos) {}
