package dev.silkroute.bgp.attribute.community;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import java.util.Map;

/**
 * Formats the twenty bytes of an IPv6 address specific extended community (RFC 5701).
 *
 * <pre>
 * u8 type (0x40 not transitive) | u8 sub-type | IPv6 address | u16 number
 * </pre>
 *
 * Example: {@code rt:[2001:db8::1]:7}. A community without a name is {@code 0x} and forty hex digits.
 */
public final class Ipv6ExtendedCommunity {
    /** Bytes of a community. */
    public static final int LENGTH = 20;

    /** Indexed by type and sub-type. */
    private static final Map<Integer, String> NAMES = Map.of(
            0x0002, "rt",
            0x0003, "soo",
            0x000b, "vrf-route-import",
            0x000c, "redirect-to-ip",
            0x000d, "redirect", // RFC 8956, Section 6.1
            0x0010, "vpn-distinguisher",
            0x0012, "inter-area-p2mp-next-hop");

    private Ipv6ExtendedCommunity() {}

    /** Returns the text of the twenty bytes at {@code at}. */
    public static String text(byte[] b, int at) {
        String name = NAMES.get(BigEndian.u16(b, at));
        return name == null
                ? "0x" + Hex.of(b, at, at + LENGTH)
                : name + ":[" + Addresses.ipv6(BigEndian.i64(b, at + 2), BigEndian.i64(b, at + 10)) + "]:"
                        + BigEndian.u16(b, at + 18);
    }
}
