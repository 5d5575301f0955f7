package dev.silkroute.component.rib;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;

/**
 * An address as the RIB takes it.
 *
 * @param high upper half of an IPv6 address, 0 for IPv4
 * @param low lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
 */
record IpAddress(boolean ipv6, long high, long low) {
    private static final long IPV4_MAPPED = 0xFFFFL;

    /**
     * An IPv4-mapped IPv6 address is the IPv4 address in it: that is how some exporters write both in one field.
     *
     * @throws IllegalArgumentException if the text is no address
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

    String text() {
        return Addresses.text(ipv6, high, low);
    }
}
