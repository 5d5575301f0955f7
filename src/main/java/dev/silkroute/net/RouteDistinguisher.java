package dev.silkroute.net;

/**
 * The eight bytes that keep equal prefixes of different VPNs apart (RFC 4364, Section 4.2), held as a long.
 *
 * <pre>
 * type 0: u16 0 | u16 AS number    | u32 number
 * type 1: u16 1 | u32 IPv4 address | u16 number
 * type 2: u16 2 | u32 AS number    | u16 number
 * </pre>
 */
public final class RouteDistinguisher {
    private RouteDistinguisher() {}

    /** {@code 64500:1}, {@code 192.0.2.1:1}; sixteen hex digits for a type that nobody has defined. */
    public static String text(long rd) {
        int high = (int) (rd >>> 16);
        long low = rd & 0xFFFF;
        return switch ((int) (rd >>> 48)) {
            case 0 -> (rd >>> 32 & 0xFFFF) + ":" + (rd & 0xFFFF_FFFFL);
            case 1 -> Addresses.ipv4(high) + ":" + low;
            case 2 -> Integer.toUnsignedString(high) + ":" + low;
            default -> Hex.of(rd);
        };
    }
}
