package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Hex;
import java.util.Map;

/**
 * Texts of the twenty bytes of an IPv6 address specific extended community (RFC 5701).
 *
 * <pre>
 * u8 type (0x40 not transitive) | u8 sub-type | IPv6 address | u16 number
 * </pre>
 *
 * {@code rt:[2001:db8::1]:7}; {@code 0x} and forty hex digits where there is no name.
 */
public final class Ipv6ExtendedCommunity {
    public static final int LENGTH = 20;

    private static final Map<Integer, String> NAMES = Map.of(
            0x0002, "rt",
            0x0003, "soo",
            0x000b, "vrf-route-import",
            0x000c, "redirect-to-ip",
            0x000d, "redirect", // RFC 8956, Section 6.1
            0x0010, "vpn-distinguisher",
            0x0012, "inter-area-p2mp-next-hop");

    private Ipv6ExtendedCommunity() {}

    static String text(byte[] b, int at) {
        String name = NAMES.get(BigEndian.u16(b, at));
        return name == null
                ? "0x" + Hex.of(b, at, at + LENGTH)
                : name + ":[" + Addresses.ipv6(BigEndian.i64(b, at + 2), BigEndian.i64(b, at + 10)) + "]:"
                        + BigEndian.u16(b, at + 18);
    }

    /** @throws IllegalArgumentException if there are not twenty bytes */
    public static String text(Bytes community) {
        if (community.length() != LENGTH) {
            throw new IllegalArgumentException(community.length() + " bytes");
        }
        return text(community.toArray(), 0);
    }

    /**
     * The community that a text stands for.
     *
     * @throws IllegalArgumentException if it stands for none
     */
    public static Bytes parse(String text) {
        if (text.startsWith("0x") && text.length() == 2 + 2 * LENGTH) {
            return Bytes.ofHex(text.substring(2));
        }
        int open = text.indexOf(":[");
        int close = text.indexOf("]:");
        if (open >= 0 && close > open) {
            String name = text.substring(0, open);
            for (Map.Entry<Integer, String> kind : NAMES.entrySet()) {
                if (kind.getValue().equals(name)) {
                    byte[] address = AddressParser.ipv6(text.substring(open + 2, close));
                    int number = (int) CommunityCodecs.unsigned(text.substring(close + 2), 16);
                    ByteSink out = new ByteSink(LENGTH);
                    out.u16(kind.getKey()).bytes(address, 0, 16).u16(number);
                    return Bytes.of(out.toByteArray());
                }
            }
        }
        throw new IllegalArgumentException("no IPv6 extended community: " + text);
    }
}
