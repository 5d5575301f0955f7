package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;

/**
 * Texts of the eight bytes of an extended community (RFC 4360, RFC 5668).
 *
 * <pre>
 * u8 type (0 two-octet AS, 1 IPv4, 2 four-octet AS) | u8 sub-type (2 route target, 3 route origin) | AS or address, number
 * </pre>
 */
public final class ExtendedCommunity {
    private ExtendedCommunity() {}

    /** {@code rt:64500:1}, {@code soo:192.0.2.1:1}; {@code 0x} and sixteen hex digits for all others. */
    public static String text(long community) {
        String name = switch ((int) (community >>> 48) & 0xFF) {
            case 2 -> "rt:";
            case 3 -> "soo:";
            default -> "";
        };
        int high = (int) (community >>> 16);
        int type = (int) (community >>> 56);
        if (name.isEmpty() || type > 2) {
            return String.format("0x%016x", community);
        }
        return switch (type) {
            case 0 -> name + (community >>> 32 & 0xFFFF) + ":" + (community & 0xFFFF_FFFFL);
            case 1 -> name + Addresses.ipv4(high) + ":" + (community & 0xFFFF);
            default -> name + Integer.toUnsignedString(high) + ":" + (community & 0xFFFF);
        };
    }
}
