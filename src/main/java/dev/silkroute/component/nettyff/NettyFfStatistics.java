package dev.silkroute.component.nettyff;

/**
 * What an endpoint has done since it was made, at one moment: {@code accepted = written + failed + dropped + pending},
 * always. Counts are messages unless they say otherwise.
 *
 * @param accepted messages whose exchange was told that all is well
 * @param written messages that the kernel has taken; whether the peer has is known to nobody on this side
 * @param failed messages accepted and lost: the connection broke, could not be made, or was ended before they were written
 * @param dropped messages for which there was no room, with {@code overflow=DROP}
 * @param refused messages whose exchange failed: never accepted
 * @param pending messages accepted and neither written nor lost so far
 * @param pendingBytes their bytes, headed for {@code maxPendingBytes}
 * @param flushes how often buffers were handed to the socket
 * @param reconnects connections after the first
 * @param blockedNanos what senders have waited for room, together
 */
public record NettyFfStatistics(
        long accepted,
        long written,
        long failed,
        long dropped,
        long refused,
        long pending,
        long pendingBytes,
        long flushes,
        long reconnects,
        long blockedNanos) {}
