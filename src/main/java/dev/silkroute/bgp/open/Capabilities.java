package dev.silkroute.bgp.open;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.Collection;
import java.util.Map;

/** Creates well-formed capabilities for {@link OpenEncoder}. {@link CapabilityType} has their layouts. */
public final class Capabilities {
    private Capabilities() {}

    public static Capability multiprotocol(int family) {
        return of(
                Capability.MULTIPROTOCOL,
                new ByteSink(16).u16(Family.afi(family)).u8(0).u8(Family.safi(family)));
    }

    public static Capability routeRefresh() {
        return new Capability(Capability.ROUTE_REFRESH, Bytes.EMPTY);
    }

    /** Permits IPv6 next hops for these families (RFC 8950, Section 4). */
    public static Capability extendedNextHop(Collection<Integer> families) {
        ByteSink value = new ByteSink();
        families.forEach(
                family -> value.u16(Family.afi(family)).u16(Family.safi(family)).u16(Family.AFI_IPV6));
        return of(Capability.EXTENDED_NEXT_HOP, value);
    }

    public static Capability extendedMessage() {
        return new Capability(Capability.EXTENDED_MESSAGE, Bytes.EMPTY);
    }

    public static Capability fourOctetAs(int asn) {
        return of(Capability.FOUR_OCTET_AS, new ByteSink(16).u32(asn));
    }

    public static Capability addPath(Map<Integer, AddPathMode> modes) {
        ByteSink value = new ByteSink();
        modes.forEach((family, mode) ->
                value.u16(Family.afi(family)).u8(Family.safi(family)).u8(mode.ordinal()));
        return of(Capability.ADD_PATH, value);
    }

    private static Capability of(int code, ByteSink value) {
        return new Capability(code, Bytes.of(value.toByteArray()));
    }
}
