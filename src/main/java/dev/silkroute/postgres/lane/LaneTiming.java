package dev.silkroute.postgres.lane;

import java.time.Duration;

/**
 * The timing of a lane's transactions.
 *
 * @param transactionLimit how long a transaction may take, including its preparation on the same connection. After that
 *     the connection is aborted whatever it waits for: a network that drops packets reports no error
 * @param retryDelay the delay before the first retry
 * @param maximumRetryDelay the maximum delay; each delay is twice as long as the previous one
 */
public record LaneTiming(Duration transactionLimit, Duration retryDelay, Duration maximumRetryDelay) {
    public static final LaneTiming DEFAULT =
            new LaneTiming(Duration.ofSeconds(120), Duration.ofMillis(250), Duration.ofSeconds(2));
}
