package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.DecodeException;

/**
 * A cursor over the TLVs of a Route Monitoring message of BMP version 4 (draft-ietf-grow-bmp-tlv, Section 5.2). Reused
 * from message to message without allocation; not thread-safe.
 *
 * <pre>
 * u16 type | u16 length of the value | u16 index | value
 *
 * 00 04      00 2d                     00 00       ff ff ff …   the UPDATE, of 45 bytes
 * 00 05      00 04                     00 01       00 00 00 02  path marking "best" of the first NLRI
 * </pre>
 *
 * Index 0 stands for every NLRI of the UPDATE, 1 for the first; with {@link #GROUP_BIT} it stands for the NLRI that a
 * Group TLV lists. The highest bit of a type marks a vendor's own type, with the vendor's number (u32) at the beginning
 * of its value.
 */
public final class IndexedTlvs {
    public static final int GROUP_BIT = 0x8000;

    /** Length of type, length and index. */
    static final int HEADER = 6;

    static final String SECTION = "draft-ietf-grow-bmp-tlv, Section 5.2";

    private byte[] bytes = new byte[0];
    private int from;
    private int to;
    private TlvRevision revision = TlvRevision.DRAFT_19;
    private int next;
    private int type;
    private int index;
    private int valueFrom;
    private int valueTo;
    private RouteMonitoringTlv kind = RouteMonitoringTlv.UNKNOWN;

    /**
     * Sets the TLVs to read.
     *
     * @throws DecodeException if a TLV does not end within {@code to}
     */
    void read(byte[] b, int start, int end) {
        bytes = b;
        from = start;
        to = end;
        for (int at = start; at < end; ) {
            if (end - at < HEADER) {
                throw BmpFault.TLV_HEADER.at(at);
            }
            int length = BigEndian.u16(b, at + 2);
            if (length > end - at - HEADER) {
                throw BmpFault.TLV_LENGTH.at(at, length);
            }
            at += HEADER + length;
        }
        rewind();
    }

    /** Sets the numbering of types, and moves before the first TLV. */
    void rewind(TlvRevision by) {
        revision = by;
        next = from;
    }

    /** Moves before the first TLV. */
    public void rewind() {
        next = from;
    }

    TlvRevision revision() {
        return revision;
    }

    /** Moves to the next TLV. @return false after the last one */
    public boolean next() {
        if (next >= to) {
            return false;
        }
        type = BigEndian.u16(bytes, next);
        index = BigEndian.u16(bytes, next + 4);
        valueFrom = next + HEADER;
        valueTo = valueFrom + BigEndian.u16(bytes, next + 2);
        kind = revision.kind(type, index, bytes, valueFrom, valueTo);
        next = valueTo;
        return true;
    }

    /** Moves to the next TLV of a kind. @return false if there is none */
    boolean next(RouteMonitoringTlv wanted) {
        while (next()) {
            if (kind == wanted) {
                return true;
            }
        }
        return false;
    }

    public RouteMonitoringTlv kind() {
        return kind;
    }

    /** Returns the type as it is in the message. */
    public int type() {
        return type;
    }

    /** Returns 0 for all NLRI, 1 for the first one, a number with {@link #GROUP_BIT} for a group. */
    public int index() {
        return index;
    }

    /** Returns the absolute offset of the value. */
    public int valueFrom() {
        return valueFrom;
    }

    public int valueTo() {
        return valueTo;
    }
}
