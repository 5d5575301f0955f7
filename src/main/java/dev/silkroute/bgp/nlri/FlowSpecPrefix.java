package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Addresses;

/**
 * The prefix components of a flow specification.
 *
 * <pre>
 * IPv4: u8 bits | prefix                                                RFC 8955, Section 4.2.2.1
 * IPv6: u8 length | u8 offset | the bits from offset to length          RFC 8956, Section 3.1
 * </pre>
 */
final class FlowSpecPrefix {
    private FlowSpecPrefix() {}

    /** Returns the end of the prefix, or -1 if it is malformed. */
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

    /**
     * Appends {@code 2001:db8::/32}, or {@code ::1234:5678:0:0/64-104} for offset 64 and length 104.
     *
     * @return false if bits are set after the prefix, which the text does not show
     */
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
}
