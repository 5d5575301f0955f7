package dev.silkroute.net;

import java.net.InetAddress;

/**
 * Texts of addresses and prefixes. An address of either family is {@code (ipv6, high, low)}; IPv4 sits in the lower 32 bits of low, and
 * high is then 0.
 */
public final class Addresses {
    /** Upper half of the low word of {@code ::ffff:0:0/96}. */
    private static final long MAPPED = 0xFFFFL;

    private Addresses() {}

    public static String text(boolean ipv6, long high, long low) {
        return ipv6 ? ipv6(high, low) : ipv4((int) low);
    }

    /** {@code 192.0.2.0/24}; host bits are written as they are. */
    public static String prefix(boolean ipv6, long high, long low, int length) {
        return text(ipv6, high, low) + "/" + length;
    }

    public static String ipv4(int address) {
        return appendIpv4(new StringBuilder(15), address).toString();
    }

    /**
     * RFC 5952: lower case, no leading zeros, the first longest run of at least two zero groups shortened, dotted quad in IPv4-mapped
     * addresses (Section 5).
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
     * Reads a dotted quad.
     *
     * @return the address in the lower 32 bits
     * @throws IllegalArgumentException if it is none
     */
    public static long parseIpv4(String text) {
        String[] parts = text.split("\\.", 5);
        long address = 0;
        for (String part : parts) {
            int octet = part.length() > 3 ? -1 : digits(part);
            if (octet < 0 || octet > 255 || parts.length != 4) {
                throw new IllegalArgumentException("no IPv4 address: " + text);
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
     * Reads an IPv6 address in any of its text forms, without a zone.
     *
     * @return its 16 bytes
     * @throws IllegalArgumentException if it is none
     */
    public static byte[] parseIpv6(String text) {
        if (text.indexOf(':') < 0 || text.indexOf('%') >= 0 || text.indexOf('[') >= 0) {
            throw new IllegalArgumentException("no IPv6 address: " + text);
        }
        byte[] address = InetAddress.ofLiteral(text).getAddress();
        if (address.length == 16) {
            return address;
        }
        // The JDK makes IPv4 of an IPv4-mapped address.
        byte[] mapped = new byte[16];
        mapped[10] = -1;
        mapped[11] = -1;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }

    /** Clears the bits after the first {@code length} of the upper word of an IPv6 address. */
    public static long maskHigh(long high, int length) {
        return length >= 64 ? high : length == 0 ? 0 : high & -1L << 64 - length;
    }

    /** Clears the bits after the first {@code length} of the lower word of an IPv6 address. */
    public static long maskLow(long low, int length) {
        return length >= 128 ? low : length <= 64 ? 0 : low & -1L << 128 - length;
    }

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
