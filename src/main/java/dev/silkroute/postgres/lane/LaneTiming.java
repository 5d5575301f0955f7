package dev.silkroute.postgres.lane;

import java.time.Duration;

/**
 * How long a lane waits.
 *
 * @param transactionLimit how long one transaction may take, what comes before it on its connection included. Then the
 *     connection is cut, whatever it waits for: a network that swallows packets says nothing by itself
 * @param retryDelay before the first new try
 * @param maximumRetryDelay before any other; each is twice as long as the one before
 */
public record LaneTiming(Duration transactionLimit, Duration retryDelay, Duration maximumRetryDelay) {
    public static final LaneTiming DEFAULT =
            new LaneTiming(Duration.ofSeconds(120), Duration.ofMillis(250), Duration.ofSeconds(2));
}
