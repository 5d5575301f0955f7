package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;

/**
 * The prefix of a flow specification.
 *
 * <pre>
 * IPv4: u8 bits | prefix                                                RFC 8955, Section 4.2.2.1
 * IPv6: u8 length | u8 offset | the bits from offset to length          RFC 8956, Section 3.1
 * </pre>
 */
final class FlowSpecPrefix {
    private FlowSpecPrefix() {}

    /** The end of the prefix, or -1. */
    static int end(boolean ipv6, byte[] b, int at, int limit) {
        if (limit - at < (ipv6 ? 2 : 1)) {
            return -1;
        }
        int length = b[at] & 0xFF;
        int offset = ipv6 ? b[at + 1] & 0xFF : 0;
        if (length > (ipv6 ? 128 : 32) || offset >= length && offset + length > 0) {
            return -1;
        }
        int end = at + (ipv6 ? 2 : 1) + (length - offset + 7 >>> 3);
        return end <= limit ? end : -1;
    }

    /** {@code 2001:db8::/32}, {@code ::1234:5678:0:0/64-104} for offset 64; false if bits behind the prefix are not in the text. */
    static boolean text(boolean ipv6, byte[] b, int at, int end, StringBuilder out) {
        int length = b[at] & 0xFF;
        if (!ipv6) {
            AddressText.prefix(false, b, at + 1, length, out);
            return !AddressText.hostBits(b, end, length);
        }
        int offset = b[at + 1] & 0xFF;
        if (offset == 0) {
            AddressText.prefix(true, b, at + 2, length, out);
        } else {
            long high = 0;
            long low = 0;
            for (int i = 0; i < length - offset; i++) {
                long bit = b[at + 2 + i / 8] >>> 7 - i % 8 & 1L;
                if (offset + i < 64) {
                    high |= bit << 63 - offset - i;
                } else {
                    low |= bit << 127 - offset - i;
                }
            }
            out.append(Addresses.ipv6(high, low))
                    .append('/')
                    .append(offset)
                    .append('-')
                    .append(length);
        }
        return !AddressText.hostBits(b, end, length - offset);
    }

    static void parse(boolean ipv6, String text, ByteSink out) {
        int dash = text.indexOf('-');
        int start = out.position();
        out.u8(0);
        if (!ipv6) {
            out.patchU8(start, AddressText.parsePrefix(false, text, out));
        } else if (dash < 0) {
            out.u8(0);
            out.patchU8(start, AddressText.parsePrefix(true, text, out));
        } else {
            int slash = text.indexOf('/');
            if (slash < 0 || slash > dash) {
                throw new IllegalArgumentException("address/offset-length expected: " + text);
            }
            int offset = (int) NlriTokens.number(text.substring(slash + 1, dash), 127);
            int length = (int) NlriTokens.number(text.substring(dash + 1), 128);
            if (offset >= length) {
                throw new IllegalArgumentException("offset is not below the length: " + text);
            }
            out.patchU8(start, length).u8(offset);
            bits(Addresses.parseIpv6(text.substring(0, slash)), offset, length, out);
        }
    }

    private static void bits(byte[] address, int offset, int length, ByteSink out) {
        long high = BigEndian.i64(address, 0);
        long low = BigEndian.i64(address, 8);
        int octet = 0;
        for (int i = offset; i < length; i++) {
            long bit = (i < 64 ? high >>> 63 - i : low >>> 127 - i) & 1;
            octet = octet << 1 | (int) bit;
            if ((i - offset) % 8 == 7) {
                out.u8(octet);
                octet = 0;
            }
        }
        int used = (length - offset) % 8;
        if (used != 0) {
            out.u8(octet << 8 - used);
        }
    }
}
