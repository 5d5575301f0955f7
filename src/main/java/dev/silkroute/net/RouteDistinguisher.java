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

    /**
     * As {@link #text}, but with an {@code L} after a four-octet AS number that two octets would hold ({@code 64500L:1}), so that
     * {@link #parse} knows the type.
     */
    public static String exactText(long rd) {
        boolean ambiguous = rd >>> 48 == 2 && (rd >>> 32 & 0xFFFF) == 0;
        return ambiguous ? (rd >>> 16 & 0xFFFF) + "L:" + (rd & 0xFFFF) : text(rd);
    }

    /**
     * Reads what {@link #text} or {@link #exactText} wrote; an AS number above 65535 is one of four octets.
     *
     * @throws IllegalArgumentException if it is no route distinguisher
     */
    public static long parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            if (colon < 0) {
                if (text.length() != 16) {
                    throw new IllegalArgumentException("no route distinguisher: " + text);
                }
                return Long.parseUnsignedLong(text, 16);
            }
            String administrator = text.substring(0, colon);
            long number = unsigned(text.substring(colon + 1), 0xFFFF_FFFFL);
            if (administrator.indexOf('.') >= 0) {
                return 1L << 48 | Addresses.parseIpv4(administrator) << 16 | small(number, text);
            }
            boolean fourOctets = administrator.endsWith("L");
            long asn = unsigned(
                    fourOctets ? administrator.substring(0, administrator.length() - 1) : administrator, 0xFFFF_FFFFL);
            return fourOctets || asn > 0xFFFF ? 2L << 48 | asn << 16 | small(number, text) : asn << 32 | number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no route distinguisher: " + text, e);
        }
    }

    private static long small(long number, String text) {
        if (number > 0xFFFF) {
            throw new IllegalArgumentException("number above 65535 in route distinguisher " + text);
        }
        return number;
    }

    private static long unsigned(String digits, long max) {
        long value = Long.parseUnsignedLong(digits);
        if (value < 0 || value > max) {
            throw new NumberFormatException(digits);
        }
        return value;
    }
}
