package dev.silkroute.capture.packet;

import dev.silkroute.capture.Flow;

/**
 * A view of the TCP segment in a packet, reused from packet to packet. A packet without a complete TCP header has no
 * segment. A fragmented IP packet has its segment in the fragment that completes it. Not thread-safe.
 */
final class TcpSegment {
    private static final int TCP = 6;
    private static final int TCP_HEADER = 20;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int IPV4_MORE = 0x2000;
    private static final int IPV4_OFFSET = 0x1fff;
    private static final int IPV6_FRAGMENT = 44;
    private static final int IPV6_FRAGMENT_HEADER = 8;
    private static final int FIN_FLAG = 0x01;
    private static final int SYN_FLAG = 0x02;
    private static final int RST_FLAG = 0x04;

    /** The maximum number of IPv6 extension headers in a packet; more are treated as malicious. */
    private static final int MAX_EXTENSION_HEADERS = 8;

    private final IpFragments fragments = new IpFragments();
    private byte[] b = new byte[0];
    private long time;
    private Flow flow = new Flow(false, 0, 0, 0, 0, 0, 0);
    private int sequence;
    private int flags;
    private int from;
    private int to;
    private int end;
    private int cut;

    /**
     * Moves to the segment of a packet. Returns false if it has none.
     *
     * @param timeNanos the capture time of the packet
     */
    boolean read(int linkType, byte[] packet, int length, long timeNanos) {
        b = packet;
        time = timeNanos;
        int ip = LinkLayer.ipOffset(linkType, packet, length);
        if (ip < 0 || ip >= length) {
            return false;
        }
        return switch (b[ip] >> 4 & 0xf) {
            case 4 -> readIpv4(ip, length);
            case 6 -> readIpv6(ip, length);
            default -> false;
        };
    }

    private boolean readIpv4(int ip, int length) {
        if (ip + IPV4_HEADER > length) {
            return false;
        }
        int headerLength = (b[ip] & 0xf) * 4;
        if (headerLength < IPV4_HEADER || b[ip + 9] != TCP) {
            return false;
        }
        int total = u16(ip + 2);
        // With segmentation offload the capture sees packets before the network card splits them, with length 0.
        end = total == 0 ? length : ip + total;
        int fragment = u16(ip + 6);
        if ((fragment & (IPV4_MORE | IPV4_OFFSET)) != 0) {
            IpFragments.Key key = new IpFragments.Key(false, 0, u32(ip + 12), 0, u32(ip + 16), u16(ip + 4));
            return readFragment(
                    key, (fragment & IPV4_OFFSET) * 8, (fragment & IPV4_MORE) != 0, ip + headerLength, length);
        }
        return readTcp(ip + headerLength, length, false, 0, u32(ip + 12), 0, u32(ip + 16));
    }

    private boolean readIpv6(int ip, int length) {
        if (ip + IPV6_HEADER > length) {
            return false;
        }
        int payload = u16(ip + 4);
        end = payload == 0 ? length : ip + IPV6_HEADER + payload;
        int next = b[ip + 6] & 0xff;
        int at = ip + IPV6_HEADER;
        for (int i = 0; next != TCP; i++) {
            if (next == IPV6_FRAGMENT && at + IPV6_FRAGMENT_HEADER <= length && (u16(at + 2) & ~6) != 0) {
                IpFragments.Key key =
                        new IpFragments.Key(true, i64(ip + 8), i64(ip + 16), i64(ip + 24), i64(ip + 32), u32(at + 4));
                int fragment = u16(at + 2);
                return b[at] == TCP
                        && readFragment(key, fragment & ~7, (fragment & 1) != 0, at + IPV6_FRAGMENT_HEADER, length);
            }
            int size = i < MAX_EXTENSION_HEADERS && at + 2 <= length ? extensionLength(next, at) : -1;
            if (size < 0) {
                return false;
            }
            next = b[at] & 0xff;
            at += size;
        }
        return readTcp(at, length, true, i64(ip + 8), i64(ip + 16), i64(ip + 24), i64(ip + 32));
    }

    /** Fragments that were not captured completely are ignored. */
    private boolean readFragment(IpFragments.Key key, int offset, boolean more, int from, int length) {
        byte[] whole = end > length ? null : fragments.add(key, offset, more, b, from, end, time);
        if (whole == null) {
            return false;
        }
        b = whole;
        end = whole.length;
        return readTcp(
                0, end, key.ipv6(), key.sourceHigh(), key.sourceLow(), key.destinationHigh(), key.destinationLow());
    }

    /**
     * Returns the length of an extension header, or −1 if it is unknown. That of authentication (RFC 4302) has its own
     * unit.
     */
    private int extensionLength(int type, int at) {
        return switch (type) {
            // An atomic fragment: the whole packet despite its fragment header (RFC 6946).
            case IPV6_FRAGMENT -> IPV6_FRAGMENT_HEADER;
            case 0, 43, 60 -> ((b[at + 1] & 0xff) + 1) * 8;
            case 51 -> ((b[at + 1] & 0xff) + 2) * 4;
            default -> -1;
        };
    }

    private boolean readTcp(
            int at, int length, boolean ipv6, long sourceHigh, long sourceLow, long destinationHigh, long destLow) {
        if (at + TCP_HEADER > length) {
            return false;
        }
        int headerLength = (b[at + 12] >> 4 & 0xf) * 4;
        if (headerLength < TCP_HEADER || at + headerLength > end) {
            return false;
        }
        sequence = (int) u32(at + 4);
        flags = b[at + 13];
        // Bytes after the IP packet are Ethernet padding; missing bytes were cut off by the snap length.
        from = Math.min(at + headerLength, length);
        to = Math.min(end, length);
        cut = end - Math.max(to, at + headerLength);
        flow = new Flow(ipv6, sourceHigh, sourceLow, u16(at), destinationHigh, destLow, u16(at + 2));
        return true;
    }

    byte[] bytes() {
        return b;
    }

    Flow flow() {
        return flow;
    }

    /** Returns the sequence number. A SYN occupies it itself; the payload of other segments starts with it. */
    int sequence() {
        return sequence;
    }

    boolean isSyn() {
        return (flags & SYN_FLAG) != 0;
    }

    boolean isFin() {
        return (flags & FIN_FLAG) != 0;
    }

    boolean isRst() {
        return (flags & RST_FLAG) != 0;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    int length() {
        return to - from;
    }

    /** Returns the number of payload bytes that were sent but not captured. */
    int cut() {
        return cut;
    }

    private int u16(int at) {
        return (b[at] & 0xff) << 8 | (b[at + 1] & 0xff);
    }

    private long u32(int at) {
        return (long) u16(at) << 16 | u16(at + 2);
    }

    private long i64(int at) {
        return u32(at) << 32 | u32(at + 4);
    }
}
