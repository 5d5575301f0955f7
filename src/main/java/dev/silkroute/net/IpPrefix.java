package dev.silkroute.net;

import java.net.InetAddress;

/**
 * A prefix as people write it; an address is one of full length. Bits after the length are cleared.
 *
 * @param high upper half of an IPv6 address, 0 for IPv4
 * @param low lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
 */
public record IpPrefix(boolean ipv6, long high, long low, int length) {
    private static final int MAPPED_BITS = 96;
    private static final long MAPPED = 0xFFFFL;
    private static final int GROUPS = 8;
    private static final int MOST_OCTET = 255;
    private static final int MOST_DIGITS = 4;

    /**
     * Reads {@code 192.0.2.1}, {@code 192.0.2.0/24}, {@code 2001:db8::/32}. What is IPv4-mapped is the IPv4 address or prefix in it.
     *
     * @throws IllegalArgumentException if it is none; the message says what is wrong and, counted from 1, at which character
     */
    public static IpPrefix parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        boolean ipv6 = address.indexOf(':') >= 0;
        String wrong = address.isEmpty() ? "there is no address" : ipv6 ? wrongIpv6(address) : wrongIpv4(address);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' is no " + kind(ipv6, slash >= 0) + ": " + wrong);
        }
        int bits = ipv6 ? 128 : 32;
        int length = slash < 0 ? bits : length(text, slash, ipv6, bits);
        if (!ipv6) {
            return ipv4(Addresses.parseIpv4(address), length);
        }
        byte[] bytes;
        try {
            bytes = Addresses.parseIpv6(address);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is no " + kind(true, slash >= 0), e);
        }
        long high = BigEndian.i64(bytes, 0);
        long low = BigEndian.i64(bytes, 8);
        if (high == 0 && low >>> 32 == MAPPED && length >= MAPPED_BITS) {
            return ipv4(low & 0xFFFFFFFFL, length - MAPPED_BITS);
        }
        return new IpPrefix(true, Addresses.maskHigh(high, length), Addresses.maskLow(low, length), length);
    }

    /** Whether an address is in it. */
    public boolean covers(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return !ipv6 && Addresses.maskIpv4(BigEndian.i32(bytes, 0), length) == (int) low;
        }
        return ipv6
                && Addresses.maskHigh(BigEndian.i64(bytes, 0), length) == high
                && Addresses.maskLow(BigEndian.i64(bytes, 8), length) == low;
    }

    private static IpPrefix ipv4(long address, int length) {
        return new IpPrefix(false, 0, Integer.toUnsignedLong(Addresses.maskIpv4((int) address, length)), length);
    }

    private static String kind(boolean ipv6, boolean prefix) {
        return (ipv6 ? "IPv6 " : "IPv4 ") + (prefix ? "prefix" : "address");
    }

    private static int length(String text, int slash, boolean ipv6, int bits) {
        String length = text.substring(slash + 1);
        boolean number = !length.isEmpty() && length.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number || length.length() > 3 || Integer.parseInt(length) > bits) {
            String wrong = length.isEmpty()
                    ? "there is no length after the slash"
                    : "'" + length + "' at character " + (slash + 2) + " is no length from 0 to " + bits;
            throw new IllegalArgumentException("'" + text + "' is no " + kind(ipv6, true) + ": " + wrong);
        }
        return Integer.parseInt(length);
    }

    /** What is wrong with a dotted quad; empty if nothing is. */
    private static String wrongIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        int at = 1;
        for (String part : parts) {
            if (part.isEmpty()) {
                return "a number is missing at character " + at;
            }
            for (int i = 0; i < part.length(); i++) {
                if (part.charAt(i) < '0' || part.charAt(i) > '9') {
                    return "'" + part.charAt(i) + "' at character " + (at + i) + " is no digit";
                }
            }
            if (part.length() > 3 || Integer.parseInt(part) > MOST_OCTET) {
                return part + " at character " + at + " is no number from 0 to " + MOST_OCTET;
            }
            at += part.length() + 1;
        }
        return parts.length == 4
                ? ""
                : "it has " + parts.length + (parts.length == 1 ? " number" : " numbers") + ", not 4";
    }

    /** What is wrong with an IPv6 address (RFC 4291, Section 2.2); empty if nothing is. */
    private static String wrongIpv6(String text) {
        int shortened = text.indexOf("::");
        int again = shortened < 0 ? -1 : text.indexOf("::", shortened + 1);
        if (again >= 0) {
            return "the '::' at character " + (again + 1) + " is one too many";
        }
        int groups = 0;
        int from = 0;
        while (from <= text.length()) {
            int colon = text.indexOf(':', from);
            int to = colon < 0 ? text.length() : colon;
            String part = text.substring(from, to);
            boolean besideShortened = shortened >= 0 && from >= shortened && from <= shortened + 2;
            if (part.isEmpty() && !besideShortened && !(from == 0 && shortened == 0)) {
                return "a group is missing at character " + (from + 1);
            }
            if (part.indexOf('.') >= 0) {
                String wrong = colon >= 0 ? "it is not at the end" : wrongIpv4(part);
                if (!wrong.isEmpty()) {
                    return "of " + part + " at character " + (from + 1) + ", " + wrong;
                }
                groups += 2;
            } else if (!part.isEmpty()) {
                String wrong = wrongGroup(part, from + 1);
                if (!wrong.isEmpty()) {
                    return wrong;
                }
                groups++;
            }
            from = to + 1;
        }
        if (shortened < 0 && groups != GROUPS) {
            return "it has " + groups + (groups == 1 ? " group" : " groups") + ", not 8";
        }
        return shortened >= 0 && groups >= GROUPS ? "it has 8 or more groups beside the '::'" : "";
    }

    private static String wrongGroup(String part, int at) {
        for (int i = 0; i < part.length(); i++) {
            if (Character.digit(part.charAt(i), 16) < 0 || part.charAt(i) > 'f') {
                return "'" + part.charAt(i) + "' at character " + (at + i) + " is no hexadecimal digit";
            }
        }
        return part.length() <= MOST_DIGITS ? "" : part + " at character " + at + " has more than 4 digits";
    }

    @Override
    public String toString() {
        return Addresses.prefix(ipv6, high, low, length);
    }
}
