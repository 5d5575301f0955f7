package dev.silkroute.bgp.attribute.tlv;

import dev.silkroute.net.BigEndian;

/** The formats of TLVs in path attributes. Walking them does not allocate. */
enum TlvFormat {
    /** {@code u16 type | u16 length | value}: BGP-LS (RFC 9552, Section 5.1), tunnels (RFC 9012, Section 2). */
    WIDE(2, 2),
    /**
     * {@code u8 type | u16 length | value}: Prefix-SID and SRv6 services (RFC 8669, Section 3; RFC 9252, Section 2).
     */
    NARROW_TYPE(1, 2),
    /** {@code u8 type | u8 length | value}: segments of a segment list (RFC 9830, Section 2.4.4). */
    NARROW(1, 1),
    /** {@code u8 type | u16 length of the whole TLV | value} (RFC 7311, Section 3). */
    AIGP(1, 2),
    /** {@code u8 type | u8 length | value}, with a u16 length from type 128 on (RFC 9012, Section 2). */
    TUNNEL_SUB(1, 1);

    private final int typeSize;
    private final int lengthSize;

    TlvFormat(int typeSize, int lengthSize) {
        this.typeSize = typeSize;
        this.lengthSize = lengthSize;
    }

    /** Returns whether the bytes are whole TLVs, to the last byte. */
    boolean fits(byte[] b, int from, int to) {
        int at = from;
        while (at >= 0 && at < to) {
            at = end(b, at, to);
        }
        return at == to;
    }

    /** Returns the offset after the TLV at {@code at}, or -1 if it is not whole. */
    int end(byte[] b, int at, int to) {
        if (to - at < typeSize + lengthSize || to - at < header(b, at)) {
            return -1;
        }
        int header = header(b, at);
        int length = header - typeSize == 2 ? BigEndian.u16(b, at + typeSize) : BigEndian.u8(b, at + typeSize);
        int whole = this == AIGP ? length : header + length;
        return whole < header || whole > to - at ? -1 : at + whole;
    }

    int type(byte[] b, int at) {
        return typeSize == 2 ? BigEndian.u16(b, at) : BigEndian.u8(b, at);
    }

    /** Returns the offset of the value of the TLV at {@code at}. */
    int value(byte[] b, int at) {
        return at + header(b, at);
    }

    private int header(byte[] b, int at) {
        return typeSize + lengthSize + (this == TUNNEL_SUB && b[at] < 0 ? 1 : 0);
    }
}
