package dev.silkroute.net;

import java.net.InetAddress;

/**
 * Formats, parses and masks IP addresses that are held as numbers.
 *
 * <p>An address of either family is the triple {@code (ipv6, high, low)}. An IPv6 address fills both words; an IPv4
 * address is the lower 32 bits of {@code low}, and everything else is 0. Thread-safe, because stateless.
 */
public final class Addresses {
    /** Upper half of the low word of {@code ::ffff:0:0/96}. */
    private static final long MAPPED = 0xFFFFL;

    private Addresses() {}

    /** Returns the canonical text of an address of either family. */
    public static String text(boolean ipv6, long high, long low) {
        return ipv6 ? ipv6(high, low) : ipv4((int) low);
    }

    /** Returns an address and its prefix length, as in {@code 192.0.2.0/24}. Host bits are not masked. */
    public static String prefix(boolean ipv6, long high, long low, int length) {
        return text(ipv6, high, low) + "/" + length;
    }

    /** Returns the dotted quad of an IPv4 address. */
    public static String ipv4(int address) {
        return appendIpv4(new StringBuilder(15), address).toString();
    }

    /**
     * Returns the text of an IPv6 address in the form of RFC 5952: lower case, no leading zeros, the first of the
     * longest runs of at least two zero groups shortened to {@code ::}, and a dotted quad in IPv4-mapped addresses
     * (Section 5).
     */
    public static String ipv6(long high, long low) {
        StringBuilder out = new StringBuilder(39);
        if (high == 0 && low >>> 32 == MAPPED) {
            return appendIpv4(out.append("::ffff:"), (int) low).toString();
        }
        int start = -1;
        int length = 1;
        int i = 0;
        while (i < 8) {
            int end = i;
            while (end < 8 && group(high, low, end) == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
            i = end + 1;
        }
        i = 0;
        while (i < 8) {
            if (i == start) {
                out.append("::");
                i += length;
                continue;
            }
            if (i > 0 && (start < 0 || i != start + length)) {
                out.append(':');
            }
            out.append(Integer.toHexString(group(high, low, i)));
            i++;
        }
        return out.toString();
    }

    /**
     * Parses a dotted quad without allocating more than its parts: flow enrichment calls this for every flow.
     *
     * @return the address in the lower 32 bits
     * @throws IllegalArgumentException if the text is not a dotted quad
     */
    public static long parseIpv4(String text) {
        String[] parts = text.split("\\.", 5);
        long address = 0;
        for (String part : parts) {
            int octet = part.length() > 3 ? -1 : digits(part);
            if (octet < 0 || octet > 255 || parts.length != 4) {
                throw new IllegalArgumentException("'" + text + "' is not a valid IPv4 address");
            }
            address = address << 8 | octet;
        }
        return address;
    }

    private static int digits(String text) {
        int value = text.isEmpty() ? -1 : 0;
        for (int i = 0; i < text.length() && value >= 0; i++) {
            char c = text.charAt(i);
            value = c >= '0' && c <= '9' ? value * 10 + c - '0' : -1;
        }
        return value;
    }

    /**
     * Parses an IPv6 address in any text form of RFC 4291, Section 2.2, without a zone.
     *
     * @return the 16 bytes of the address
     * @throws IllegalArgumentException if the text is not an IPv6 address
     */
    public static byte[] parseIpv6(String text) {
        if (text.indexOf(':') < 0 || text.indexOf('%') >= 0 || text.indexOf('[') >= 0) {
            throw new IllegalArgumentException("'" + text + "' is not a valid IPv6 address");
        }
        byte[] address;
        try {
            address = InetAddress.ofLiteral(text).getAddress();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not a valid IPv6 address", e);
        }
        if (address.length == 16) {
            return address;
        }
        // The JDK returns an IPv4 address for an IPv4-mapped one.
        byte[] mapped = new byte[16];
        mapped[10] = -1;
        mapped[11] = -1;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }

    /**
     * Returns the text of this class for an address that another system has formatted: PostgreSQL formats
     * {@code ::c000:201} as {@code ::192.0.2.1}.
     *
     * @param text an IPv6 address, or an IPv4 address, which is returned as it is
     * @throws IllegalArgumentException if the text has a colon and is not an IPv6 address
     */
    public static String canonical(String text) {
        if (text.indexOf(':') < 0) {
            return text;
        }
        byte[] address = parseIpv6(text);
        return ipv6(BigEndian.i64(address, 0), BigEndian.i64(address, 8));
    }

    /** Clears the bits after the first {@code length} of the upper word of an IPv6 address. */
    public static long maskHigh(long high, int length) {
        return length >= 64 ? high : length == 0 ? 0 : high & -1L << 64 - length;
    }

    /** Clears the bits after the first {@code length} of the lower word of an IPv6 address. */
    public static long maskLow(long low, int length) {
        return length >= 128 ? low : length <= 64 ? 0 : low & -1L << 128 - length;
    }

    /** Clears the bits after the first {@code length} of an IPv4 address. */
    public static int maskIpv4(int address, int length) {
        return length >= 32 ? address : length == 0 ? 0 : address & -1 << 32 - length;
    }

    private static int group(long high, long low, int index) {
        return (int) ((index < 4 ? high : low) >>> 48 - 16 * (index & 3)) & 0xFFFF;
    }

    private static StringBuilder appendIpv4(StringBuilder out, int address) {
        return out.append(address >>> 24)
                .append('.')
                .append(address >>> 16 & 0xFF)
                .append('.')
                .append(address >>> 8 & 0xFF)
                .append('.')
                .append(address & 0xFF);
    }
}
