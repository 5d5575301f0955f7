package dev.silkroute.app.config;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The routers that listen for the station, {@code silkroute.bmp-connect.…}.
 *
 * @param routers without duplicates
 * @param retryDelay at most {@code maxRetryDelay}
 */
public record BmpConnect(List<HostPort> routers, Duration timeout, Duration retryDelay, Duration maxRetryDelay) {
    private static final String ADDRESSES = "silkroute.bmp-connect.addresses";
    private static final String TIMEOUT = "silkroute.bmp-connect.timeout";
    private static final String RETRY_DELAY = "silkroute.bmp-connect.retry-delay";
    private static final String MAX_RETRY_DELAY = "silkroute.bmp-connect.max-retry-delay";
    private static final Duration LONGEST = Duration.ofDays(1);

    public BmpConnect {
        routers = List.copyOf(routers);
    }

    /**
     * Reads the settings.
     *
     * @throws OperatorError if one is invalid
     */
    public static BmpConnect of(CollectorConfig.BmpConnect config) {
        List<HostPort> routers = Stream.of(config.addresses().orElse("").split(",", -1))
                .map(String::strip)
                .filter(router -> !router.isEmpty())
                .map(BmpConnect::router)
                .toList();
        for (int i = 0; i < routers.size(); i++) {
            if (routers.indexOf(routers.get(i)) < i) {
                throw new OperatorError(ADDRESSES + " contains " + routers.get(i) + " twice");
            }
        }
        Duration retryDelay = checked(RETRY_DELAY, config.retryDelay());
        Duration maxRetryDelay = checked(MAX_RETRY_DELAY, config.maxRetryDelay());
        if (retryDelay.compareTo(maxRetryDelay) > 0) {
            throw new OperatorError(RETRY_DELAY + " must not be longer than " + MAX_RETRY_DELAY);
        }
        return new BmpConnect(routers, checked(TIMEOUT, config.timeout()), retryDelay, maxRetryDelay);
    }

    private static HostPort router(String text) {
        try {
            return HostPort.parse(text);
        } catch (IllegalArgumentException e) {
            throw new OperatorError(ADDRESSES + ": " + e.getMessage(), e);
        }
    }

    private static Duration checked(String key, Duration value) {
        if (!value.isPositive() || value.compareTo(LONGEST) > 0) {
            throw new OperatorError(key + " is " + value + ": it must be positive and at most 1 day");
        }
        return value;
    }
}
