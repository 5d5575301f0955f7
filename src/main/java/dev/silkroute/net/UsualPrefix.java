package dev.silkroute.net;

import org.jspecify.annotations.Nullable;

/**
 * Parses the text of addresses and prefixes as software writes it: IPv4 as a dotted quad without leading zeros, IPv6 as
 * groups of one to four digits with or without {@code ::}, and a prefix length without leading zeros. Files with VRPs
 * have hundreds of thousands of them, for which the library would take most of the time.
 */
final class UsualPrefix {
    private static final int GROUPS = 8;

    private UsualPrefix() {}

    /** Returns the prefix; null for every other text, which may be valid nevertheless. */
    static @Nullable IpPrefix parse(String text) {
        int slash = text.indexOf('/');
        boolean isIpv6 = text.indexOf(':') >= 0;
        int end = slash < 0 ? text.length() : slash;
        int bits = isIpv6 ? 128 : 32;
        int length = slash < 0 ? bits : number(text, slash + 1, text.length());
        if (length < 0 || length > bits) {
            return null;
        }
        return isIpv6 ? ipv6(text, end, length) : ipv4(text, end, length);
    }

    private static @Nullable IpPrefix ipv4(String text, int end, int length) {
        int address = 0;
        int from = 0;
        for (int part = 0; part < Integer.BYTES; part++) {
            int to = part < Integer.BYTES - 1 ? text.indexOf('.', from) : end;
            int octet = number(text, from, to);
            if (octet < 0 || octet > 255) {
                return null;
            }
            address = address << 8 | octet;
            from = to + 1;
        }
        return IpPrefix.ipv4(address, length);
    }

    /** Returns a number of at most three digits without leading zeros; -1 if it is none. */
    private static int number(String text, int from, int to) {
        int digits = to - from;
        if (digits < 1 || digits > 3 || digits > 1 && text.charAt(from) == '0') {
            return -1;
        }
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    /** Groups before {@code ::} fill the address from above, those behind it are shifted in from below. */
    private static @Nullable IpPrefix ipv6(String text, int end, int length) {
        long high = 0;
        long low = 0;
        long highBehind = 0;
        long lowBehind = 0;
        int groups = 0;
        boolean hasGap = text.startsWith("::");
        int at = hasGap ? 2 : 0;
        while (at < end) {
            int from = at;
            long group = 0;
            for (int digit = hex(text, at, end); digit >= 0; digit = hex(text, at, end)) {
                group = group << 4 | digit;
                at++;
            }
            if (at == from || at - from > 4 || groups == GROUPS) {
                return null;
            }
            if (hasGap) {
                highBehind = highBehind << 16 | lowBehind >>> 48;
                lowBehind = lowBehind << 16 | group;
            } else if (groups < GROUPS / 2) {
                high |= group << 48 - 16 * groups;
            } else {
                low |= group << 112 - 16 * groups;
            }
            groups++;
            if (at < end) {
                boolean isGap = text.startsWith("::", at);
                if (isGap ? hasGap : text.charAt(at) != ':' || at + 1 == end) {
                    return null;
                }
                hasGap |= isGap;
                at += isGap ? 2 : 1;
            }
        }
        return hasGap == groups < GROUPS ? IpPrefix.ipv6(high | highBehind, low | lowBehind, length) : null;
    }

    /** Returns the value of a hexadecimal digit; -1 if there is none. */
    private static int hex(String text, int at, int end) {
        if (at == end) {
            return -1;
        }
        char c = text.charAt(at);
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
