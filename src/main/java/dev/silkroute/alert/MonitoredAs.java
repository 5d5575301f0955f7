package dev.silkroute.alert;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A monitored AS, and what is expected next to it in AS paths.
 *
 * @param group the group that is notified
 * @param upstreams the expected ASes before it in paths, nearer to the peer; null expects any
 * @param downstreams the expected ASes behind it, nearer to the origin; null expects any
 */
record MonitoredAs(
        String group,
        @Nullable Set<Long> upstreams,
        @Nullable Set<Long> downstreams) {
    boolean isExpectedUpstream(long asn) {
        return upstreams == null || upstreams.contains(asn);
    }

    boolean isExpectedDownstream(long asn) {
        return downstreams == null || downstreams.contains(asn);
    }

    boolean monitorsDownstreams() {
        return downstreams != null;
    }
}
