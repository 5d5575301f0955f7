package dev.silkroute.live;

/**
 * The bounds of a {@link LiveStream}.
 *
 * @param subscribers maximum number of subscribers
 * @param filters maximum number of filters of a subscriber
 * @param queueBytes maximum size of the messages that wait for a subscriber
 * @param recentBytes maximum size of the route batches that are kept for subscribers that resume
 */
public record LiveLimits(int subscribers, int filters, int queueBytes, long recentBytes) {
    public LiveLimits {
        if (subscribers < 1 || filters < 1 || queueBytes < 1 || recentBytes < 0) {
            throw new IllegalArgumentException("the limits of the live stream must be positive");
        }
    }
}
