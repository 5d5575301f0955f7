package dev.silkroute.capture;

/**
 * A view of the TCP segment in a packet. Reads nothing outside the packet; a packet that holds no whole TCP header, or
 * a piece of a fragmented IP packet, holds no segment.
 */
final class TcpSegment {
    private static final int TCP = 6;
    private static final int TCP_HEADER = 20;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int FIN_FLAG = 0x01;
    private static final int SYN_FLAG = 0x02;
    private static final int RST_FLAG = 0x04;

    /** More extension headers than this in one packet are an attack on the reader, not a packet. */
    private static final int MAX_EXTENSION_HEADERS = 8;

    private byte[] b = new byte[0];
    private Flow flow = new Flow(false, 0, 0, 0, 0, 0, 0);
    private int sequence;
    private int flags;
    private int from;
    private int to;
    private int end;
    private int cut;

    /** Moves to the packet's segment; false where there is none. */
    boolean read(int linkType, byte[] packet, int length) {
        b = packet;
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
        boolean fragment = (u16(ip + 6) & 0x3fff) != 0;
        if (headerLength < IPV4_HEADER || b[ip + 9] != TCP || fragment) {
            return false;
        }
        int total = u16(ip + 2);
        // A network card that splits packets itself shows larger ones to the capture, with length 0.
        end = total == 0 ? length : ip + total;
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
            int size = i < MAX_EXTENSION_HEADERS && at + 2 <= length ? extensionLength(next, at) : -1;
            if (size < 0) {
                return false;
            }
            next = b[at] & 0xff;
            at += size;
        }
        return readTcp(at, length, true, i64(ip + 8), i64(ip + 16), i64(ip + 24), i64(ip + 32));
    }

    /** Hop-by-hop, routing, destination options; authentication (RFC 4302) counts in other units. */
    private int extensionLength(int type, int at) {
        return switch (type) {
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
        // What follows the IP packet is Ethernet padding; what lacks of it was cut off by the snap length.
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

    /** Number of the first payload byte; a SYN takes a number itself, before its payload. */
    int sequence() {
        return sequence;
    }

    boolean syn() {
        return (flags & SYN_FLAG) != 0;
    }

    boolean fin() {
        return (flags & FIN_FLAG) != 0;
    }

    boolean rst() {
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

    /** Payload bytes that were on the wire but not kept in the capture. */
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
