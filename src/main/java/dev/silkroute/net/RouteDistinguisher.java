package dev.silkroute.net;

/**
 * Formats route distinguishers, the eight bytes that distinguish equal prefixes of different VPNs (RFC 4364, Section
 * 4.2), held as a {@code long}.
 *
 * <pre>
 * type 0: u16 0 | u16 AS number    | u32 number
 * type 1: u16 1 | u32 IPv4 address | u16 number
 * type 2: u16 2 | u32 AS number    | u16 number
 * </pre>
 *
 * Example: {@code 0000fbf400000001} is {@code 64500:1}.
 */
public final class RouteDistinguisher {
    private RouteDistinguisher() {}

    /** Returns {@code 64500:1} or {@code 192.0.2.1:1}, or sixteen hex digits for an undefined type. */
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

    /**
     * Returns the {@link #text}, but with an {@code L} after a four-octet AS number that two octets could hold,
     * {@code 64500L:1}: different route distinguishers have different texts.
     */
    public static String exactText(long rd) {
        boolean ambiguous = rd >>> 48 == 2 && (rd >>> 32 & 0xFFFF) == 0;
        return ambiguous ? (rd >>> 16 & 0xFFFF) + "L:" + (rd & 0xFFFF) : text(rd);
    }

    /**
     * Parses the result of {@link #text} or {@link #exactText}. An AS number above 65535 makes the type 2.
     *
     * @throws IllegalArgumentException if the text is not a route distinguisher
     */
    public static long parse(String text) {
        try {
            int colon = text.lastIndexOf(':');
            if (colon < 0 && text.length() == 16) {
                return Long.parseUnsignedLong(text, 16);
            }
            String administrator = text.substring(0, colon);
            long number = unsigned(text.substring(colon + 1), 0xFFFF_FFFFL);
            if (administrator.indexOf('.') >= 0) {
                return 1L << 48
                        | Addresses.parseIpv4(administrator) << 16
                        | unsigned(text.substring(colon + 1), 0xFFFF);
            }
            boolean fourOctets = administrator.endsWith("L");
            long asn = unsigned(fourOctets ? administrator.substring(0, colon - 1) : administrator, 0xFFFF_FFFFL);
            return fourOctets || asn > 0xFFFF
                    ? 2L << 48 | asn << 16 | unsigned(text.substring(colon + 1), 0xFFFF)
                    : asn << 32 | number;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("'" + text + "' is not a valid route distinguisher", e);
        }
    }

    private static long unsigned(String digits, long max) {
        long value = Long.parseUnsignedLong(digits);
        if (value < 0 || value > max) {
            throw new NumberFormatException(digits);
        }
        return value;
    }
}
