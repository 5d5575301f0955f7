package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;

/**
 * The code points of Route Monitoring TLVs, which the drafts of version 4 have numbered anew twice while routers were already sending them
 * (draft-ietf-grow-bmp-tlv). Nothing in a message says which numbers it uses; but each TLV has a shape, and a message is read by the revision
 * in which most of its TLVs have the shape of their type.
 *
 * <p>In the order of preference where shapes leave a choice: what routers ship first.
 */
public enum TlvRevision {
    /** Drafts to -19, and what routers have been seen to send; with path marking as its own drafts number it. */
    DRAFT_19(2, 3, 1, 4, 5, 0, 0, 0),
    /** Path marking has no number that is free here. */
    DRAFT_21(1, 2, 3, 4, 0, 5, 6, 7),
    /** Path marking's number is also that of the table name: the value tells them apart. */
    DRAFT_20(4, 5, 6, 7, 5, 1, 2, 3);

    private static final TlvRevision[] REVISIONS = values();
    private static final int BGP_HEADER = 19;

    private final int group;
    private final int tableName;
    private final int statelessParsing;
    private final int bgpMessage;
    private final int pathMarking;
    private final int sequenceNumber;
    private final int extendedFlags;
    private final int timestamp;

    TlvRevision(
            int group,
            int tableName,
            int statelessParsing,
            int bgpMessage,
            int pathMarking,
            int sequenceNumber,
            int extendedFlags,
            int timestamp) {
        this.group = group;
        this.tableName = tableName;
        this.statelessParsing = statelessParsing;
        this.bgpMessage = bgpMessage;
        this.pathMarking = pathMarking;
        this.sequenceNumber = sequenceNumber;
        this.extendedFlags = extendedFlags;
        this.timestamp = timestamp;
    }

    static int count() {
        return REVISIONS.length;
    }

    static TlvRevision at(int ordinal) {
        return REVISIONS[ordinal];
    }

    /** The code of a kind, for writing; 0 where the revision has none. */
    public int code(RouteMonitoringTlv kind) {
        return switch (kind) {
            case GROUP -> group;
            case TABLE_NAME -> tableName;
            case STATELESS_PARSING -> statelessParsing;
            case BGP_MESSAGE -> bgpMessage;
            case PATH_MARKING -> pathMarking;
            case SEQUENCE_NUMBER -> sequenceNumber;
            case EXTENDED_FLAGS -> extendedFlags;
            case TIMESTAMP -> timestamp;
            case UNKNOWN, MISSHAPEN -> 0;
        };
    }

    /** What a TLV is in this revision, with the shape that its type has; {@code MISSHAPEN} if the shape is another. */
    RouteMonitoringTlv kind(int type, int index, byte[] b, int from, int to) {
        int length = to - from;
        if (type == 0 || (type & Tlv.ENTERPRISE_BIT) != 0) {
            return RouteMonitoringTlv.UNKNOWN;
        }
        boolean grouped = (index & RouteMonitoring.GROUP_BIT) != 0;
        if (type == pathMarking && (length == 4 || length == 6) && isBitmap(b, from)) {
            return RouteMonitoringTlv.PATH_MARKING;
        }
        if (type == bgpMessage) {
            return of(RouteMonitoringTlv.BGP_MESSAGE, length >= BGP_HEADER && isMarker(b, from));
        }
        if (type == group) {
            return of(RouteMonitoringTlv.GROUP, grouped && length >= 2 && length % 2 == 0);
        }
        if (type == tableName) {
            return of(RouteMonitoringTlv.TABLE_NAME, length >= 1 && length <= 255 && isText(b, from, to));
        }
        if (type == statelessParsing) {
            return of(
                    RouteMonitoringTlv.STATELESS_PARSING,
                    index == 0 && length >= 2 && BigEndian.u8(b, from + 1) == length - 2);
        }
        if (type == sequenceNumber) {
            return of(RouteMonitoringTlv.SEQUENCE_NUMBER, length == 8);
        }
        if (type == extendedFlags) {
            return of(RouteMonitoringTlv.EXTENDED_FLAGS, length >= 1);
        }
        if (type == timestamp) {
            return of(RouteMonitoringTlv.TIMESTAMP, length == 9);
        }
        return type == pathMarking ? RouteMonitoringTlv.MISSHAPEN : RouteMonitoringTlv.UNKNOWN;
    }

    private static RouteMonitoringTlv of(RouteMonitoringTlv kind, boolean shape) {
        return shape ? kind : RouteMonitoringTlv.MISSHAPEN;
    }

    private static boolean isMarker(byte[] b, int from) {
        return BigEndian.i64(b, from) == -1L && BigEndian.i64(b, from + 8) == -1L;
    }

    /** No text begins so: twelve bits of 32 have a meaning, all in the lower half. */
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
