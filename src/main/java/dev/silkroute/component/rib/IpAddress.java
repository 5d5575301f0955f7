package dev.silkroute.component.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Route;

/**
 * An address of a flow record, in the form in which the RIB is queried.
 *
 * @param high upper half of an IPv6 address, 0 for IPv4
 * @param low lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
 */
record IpAddress(boolean ipv6, long high, long low) {
    private static final long IPV4_MAPPED = 0xFFFFL;

    /**
     * An IPv4-mapped IPv6 address is the IPv4 address in it: some exporters write both versions in one field this way.
     *
     * @throws IllegalArgumentException if the text is not an address
     */
    static IpAddress parse(String text) {
        if (text.indexOf(':') < 0) {
            return new IpAddress(false, 0, Addresses.parseIpv4(text));
        }
        byte[] bytes = Addresses.parseIpv6(text);
        long high = BigEndian.i64(bytes, 0);
        long low = BigEndian.i64(bytes, 8);
        return high == 0 && low >>> 32 == IPV4_MAPPED
                ? new IpAddress(false, 0, low & 0xFFFFFFFFL)
                : new IpAddress(true, high, low);
    }

    /** The unicast family of the address. */
    int unicast() {
        return ipv6 ? Family.IPV6_UNICAST : Family.IPV4_UNICAST;
    }

    /** The labelled unicast family of the address (RFC 8277). */
    int labelled() {
        return ipv6 ? Family.IPV6_LABELED_UNICAST : Family.IPV4_LABELED_UNICAST;
    }

    /**
     * Returns whether this is 0.0.0.0 or ::, which as a next hop means that there is none, or that it is the speaker
     * itself.
     */
    boolean isUnspecified() {
        return high == 0 && low == 0;
    }

    /**
     * Returns whether this is the next hop of a route. The next hop of a 6PE route is an IPv4-mapped IPv6 address (RFC
     * 4798, Section 2).
     */
    boolean isNextHopOf(Route route) {
        return route.nextHopIs(ipv6, high, low) || !ipv6 && route.nextHopIs(true, 0, IPV4_MAPPED << 32 | low);
    }

    String text() {
        return Addresses.text(ipv6, high, low);
    }
}
