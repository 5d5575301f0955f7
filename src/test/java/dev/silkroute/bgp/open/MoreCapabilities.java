package dev.silkroute.bgp.open;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/** Creates well-formed capabilities that the product decodes but never sends. */
public final class MoreCapabilities {
    private static final int GRACEFUL_RESTART_TIME = 0xFFF;

    private MoreCapabilities() {}

    /** @param counts numbers of labels by family (RFC 8277, Section 2.1) */
    public static Capability multipleLabels(Map<Integer, Integer> counts) {
        ByteSink value = new ByteSink();
        counts.forEach((family, count) ->
                value.u16(Family.afi(family)).u8(Family.safi(family)).u8(count));
        return of(Capability.MULTIPLE_LABELS, value);
    }

    /** @param role 0 provider, 1 route server, 2 its client, 3 customer, 4 peer (RFC 9234, Section 4.1) */
    public static Capability role(int role) {
        return of(Capability.BGP_ROLE, new ByteSink(16).u8(role));
    }

    /**
     * @param seconds at most 4,095
     * @param families families whose forwarding state was not preserved
     */
    public static Capability gracefulRestart(boolean restarted, int seconds, Collection<Integer> families) {
        ByteSink value = new ByteSink().u16((restarted ? 0x8000 : 0) | seconds & GRACEFUL_RESTART_TIME);
        families.forEach(
                family -> value.u16(Family.afi(family)).u8(Family.safi(family)).u8(0));
        return of(Capability.GRACEFUL_RESTART, value);
    }

    public static Capability enhancedRouteRefresh() {
        return new Capability(Capability.ENHANCED_ROUTE_REFRESH, Bytes.EMPTY);
    }

    /** @param staleTimes seconds that stale routes are kept, by family (RFC 9494, Section 3.1) */
    public static Capability longLivedGracefulRestart(Map<Integer, Integer> staleTimes) {
        ByteSink value = new ByteSink();
        staleTimes.forEach((family, seconds) -> value.u16(Family.afi(family))
                .u8(Family.safi(family))
                .u8(0)
                .u8(seconds >>> 16)
                .u16(seconds));
        return of(Capability.LONG_LIVED_GRACEFUL_RESTART, value);
    }

    public static Capability fqdn(String hostName, String domainName) {
        ByteSink value = new ByteSink();
        for (String name : new String[] {hostName, domainName}) {
            Bytes text = Bytes.of(name.getBytes(StandardCharsets.UTF_8));
            value.u8(text.length()).bytes(text);
        }
        return of(Capability.FQDN, value);
    }

    private static Capability of(int code, ByteSink value) {
        return new Capability(code, Bytes.of(value.toByteArray()));
    }
}
