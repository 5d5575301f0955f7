package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;

/** Texts of the addresses and prefixes in an NLRI. */
final class AddressText {
    private AddressText() {}

    /** @param length 4 or 16 bytes */
    static void address(byte[] b, int at, int length, StringBuilder out) {
        out.append(
                length == 4
                        ? Addresses.ipv4(BigEndian.i32(b, at))
                        : Addresses.ipv6(BigEndian.i64(b, at), BigEndian.i64(b, at + 8)));
    }

    /** Appends the 4 or 16 bytes of an address and returns how many. */
    static int parse(String text, ByteSink out) {
        if (text.indexOf(':') < 0) {
            out.u32((int) Addresses.parseIpv4(text));
            return 4;
        }
        out.bytes(Addresses.parseIpv6(text), 0, 16);
        return 16;
    }

    static void parse(String text, int length, ByteSink out) {
        if (parse(text, out) != length) {
            throw new IllegalArgumentException("address of another family: " + text);
        }
    }

    /** A prefix in as few bytes as its bits need; bits behind them are left out of the text. */
    static void prefix(boolean ipv6, byte[] b, int at, int bits, StringBuilder out) {
        int bytes = bits + 7 >>> 3;
        long high = word(b, at, Math.min(bytes, 8));
        long low = word(b, at + 8, bytes - 8);
        if (ipv6) {
            out.append(Addresses.ipv6(Addresses.maskHigh(high, bits), Addresses.maskLow(low, bits)));
        } else {
            out.append(Addresses.ipv4(Addresses.maskIpv4((int) (high >>> 32), bits)));
        }
        out.append('/').append(bits);
    }

    /** Up to eight bytes at the upper end of a word. */
    private static long word(byte[] b, int at, int bytes) {
        long word = 0;
        for (int i = 0; i < bytes; i++) {
            word |= (b[at + i] & 0xFFL) << 56 - 8 * i;
        }
        return word;
    }

    /** Appends as few bytes as the bits need, those behind them zero, and returns how many bits. */
    static int parsePrefix(boolean ipv6, String text, ByteSink out) {
        int slash = text.indexOf('/');
        if (slash < 0 || text.indexOf(':') >= 0 != ipv6) {
            throw new IllegalArgumentException("no " + (ipv6 ? "IPv6" : "IPv4") + " prefix: " + text);
        }
        int bits = (int) NlriTokens.number(text.substring(slash + 1), ipv6 ? 128 : 32);
        int start = out.position();
        parse(text.substring(0, slash), out);
        int end = start + (bits + 7 >>> 3);
        if ((bits & 7) != 0) {
            out.patchU8(end - 1, out.array()[end - 1] & 0xFF00 >>> (bits & 7));
        }
        out.truncate(end);
        return bits;
    }

    /** Whether the last byte of a prefix has bits behind its length. */
    static boolean hostBits(byte[] b, int end, int bits) {
        int used = bits & 7;
        return used != 0 && (b[end - 1] & 0xFF >>> used) != 0;
    }
}
