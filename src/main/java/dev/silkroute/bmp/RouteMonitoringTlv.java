package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;

/**
 * The TLVs of a Route Monitoring message of BMP version 4, one row each: the code in every revision of the draft, 0
 * where it has none, and the form of the value, by which {@link #isValid} checks it (draft-ietf-grow-bmp-tlv, Section
 * 5.2; path marking: draft-ietf-grow-bmp-path-marking-tlv, Section 2).
 */
public enum RouteMonitoringTlv {
    //                -19 -20 -21
    /** {@code u32 status bitmap | u16 reason, optional}. */
    PATH_MARKING(5, 5, 0),
    /** The UPDATE itself; every message must have one. */
    BGP_MESSAGE(4, 7, 4),
    /** Gives several NLRI one index: {@code u16} each. */
    GROUP(2, 4, 1),
    /** Name of the VRF or table, UTF-8. */
    TABLE_NAME(3, 5, 2),
    /** A BGP capability with which the UPDATE is encoded: {@code u8 code | u8 length | value}. */
    STATELESS_PARSING(1, 6, 3),
    /** {@code u64}, the message's number within the session. */
    SEQUENCE_NUMBER(0, 1, 5),
    /** The flags of the per-peer header and further ones. */
    EXTENDED_FLAGS(0, 2, 6),
    /** {@code u8 event | u32 seconds | u32 microseconds}. */
    TIMESTAMP(0, 3, 7),
    /** A type without a code here, or a vendor's own. */
    UNKNOWN(0, 0, 0),
    /** A known type with an invalid value: ignored and counted. */
    INVALID(0, 0, 0);

    private static final int BGP_HEADER = 19;
    private static final int MAX_TABLE_NAME = 255;

    private final int draft19;
    private final int draft20;
    private final int draft21;

    RouteMonitoringTlv(int draft19, int draft20, int draft21) {
        this.draft19 = draft19;
        this.draft20 = draft20;
        this.draft21 = draft21;
    }

    /** Returns the code in a revision of the draft, 0 where it has none. */
    int code(TlvRevision revision) {
        return switch (revision) {
            case DRAFT_19 -> draft19;
            case DRAFT_20 -> draft20;
            case DRAFT_21 -> draft21;
        };
    }

    /** Returns whether index and value are valid for this kind. */
    boolean isValid(int index, byte[] b, int from, int to) {
        int length = to - from;
        return switch (this) {
            case PATH_MARKING -> (length == 4 || length == 6) && isBitmap(b, from);
            case BGP_MESSAGE -> length >= BGP_HEADER && isMarker(b, from);
            case GROUP -> (index & IndexedTlvs.GROUP_BIT) != 0 && length >= 2 && length % 2 == 0;
            case TABLE_NAME -> length >= 1 && length <= MAX_TABLE_NAME && isText(b, from, to);
            case STATELESS_PARSING -> index == 0 && length >= 2 && BigEndian.u8(b, from + 1) == length - 2;
            case SEQUENCE_NUMBER -> length == 8;
            case EXTENDED_FLAGS -> length >= 1;
            case TIMESTAMP -> length == 9;
            case UNKNOWN, INVALID -> true;
        };
    }

    /** All 16 bytes of a BGP marker are ones (RFC 4271, Section 4.1). */
    private static boolean isMarker(byte[] b, int from) {
        return BigEndian.i64(b, from) == -1L && BigEndian.i64(b, from + 8) == -1L;
    }

    /**
     * Distinguishes a path marking from a table name with the same code: only twelve bits, all in the lower half, are
     * assigned.
     */
    private static boolean isBitmap(byte[] b, int from) {
        return BigEndian.u8(b, from) < ' ';
    }

    private static boolean isText(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (BigEndian.u8(b, i) < ' ') {
                return false;
            }
        }
        return true;
    }
}
