package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;

/** Formats the addresses and prefixes of an NLRI. */
final class AddressText {
    private AddressText() {}

    /** Appends an address of 4 or 16 bytes. */
    static void address(byte[] b, int at, int length, StringBuilder out) {
        out.append(
                length == 4
                        ? Addresses.ipv4(BigEndian.i32(b, at))
                        : Addresses.ipv6(BigEndian.i64(b, at), BigEndian.i64(b, at + 8)));
    }

    /** Appends a prefix that occupies as few bytes as its bits need; bits after its length are masked. */
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

    /** Returns up to eight bytes as the most significant ones of a word. */
    private static long word(byte[] b, int at, int bytes) {
        long word = 0;
        for (int i = 0; i < bytes; i++) {
            word |= (b[at + i] & 0xFFL) << 56 - 8 * i;
        }
        return word;
    }

    /** Returns whether the last byte of a prefix has bits set after the prefix length. */
    static boolean hostBits(byte[] b, int end, int bits) {
        int used = bits & 7;
        return used != 0 && (b[end - 1] & 0xFF >>> used) != 0;
    }
}
