package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertRule;

/**
 * The thresholds and bounds of an {@link AlertEngine}.
 *
 * @param minVantagePoints number of vantage points from which a condition raises an alert
 * @param minVisibilityLoss the same for {@link AlertRule#VISIBILITY_LOSS}
 * @param notificationIntervalMicros minimum time between two notifications of the same alert, in microseconds
 * @param staleMicros how long the routes of a disconnected router keep an alert open, and how long absent
 *     routers and peers are remembered, in microseconds
 * @param maxRoutes maximum number of routes and losses that are tracked; routes beyond it are not evaluated
 * @param maxTables maximum number of tables whose routes are counted
 * @param maxCountedRoutes maximum number of routes in these tables together
 */
public record AlertSettings(
        int minVantagePoints,
        int minVisibilityLoss,
        long notificationIntervalMicros,
        long staleMicros,
        int maxRoutes,
        int maxTables,
        int maxCountedRoutes) {
    int threshold(AlertRule rule) {
        if (!rule.countsVantagePoints()) {
            return 1;
        }
        return rule == AlertRule.VISIBILITY_LOSS ? minVisibilityLoss : minVantagePoints;
    }
}
