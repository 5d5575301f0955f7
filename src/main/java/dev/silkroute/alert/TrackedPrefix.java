package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.net.IpPrefix;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The routes of one prefix, and the vantage points that have lost it. */
final class TrackedPrefix {
    private final IpPrefix prefix;
    private final @Nullable MonitoredPrefix entry;
    private final Map<RouteSource, TrackedRoute> routes = new TreeMap<>();
    private final Map<VantagePoint, TrackedRoute> losses = new TreeMap<>();

    TrackedPrefix(IpPrefix prefix, @Nullable MonitoredPrefix entry) {
        this.prefix = prefix;
        this.entry = entry;
    }

    AlertSubject subject() {
        return new AlertSubject.OfPrefix(prefix);
    }

    IpPrefix prefix() {
        return prefix;
    }

    /** The entry of the longest monitored prefix that covers this one; null if the prefix is that of a monitored AS. */
    @Nullable
    MonitoredPrefix entry() {
        return entry;
    }

    Map<RouteSource, TrackedRoute> routes() {
        return routes;
    }

    Map<VantagePoint, TrackedRoute> losses() {
        return losses;
    }

    /** Returns whether the prefix itself is listed. */
    boolean isListed() {
        return entry != null && entry.prefix().equals(prefix);
    }

    boolean isVisibleTo(VantagePoint vantagePoint) {
        return routes.values().stream()
                .anyMatch(route -> route.evidence().vantagePoint().equals(vantagePoint));
    }

    int size() {
        return routes.size() + losses.size();
    }
}
