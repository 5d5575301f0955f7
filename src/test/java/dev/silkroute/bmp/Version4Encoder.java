package dev.silkroute.bmp;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.net.ByteSink;

/** Encodes the TLVs of Route Monitoring messages of BMP version 4. */
final class Version4Encoder {
    private Version4Encoder() {}

    /** Appends one TLV of a Route Monitoring message of version 4. */
    public static void indexedTlv(int type, int index, byte[] value, int from, int to, ByteSink out) {
        if (to - from > 0xFFFF) {
            throw new IllegalArgumentException("a TLV has at most 65,535 bytes, not " + (to - from));
        }
        out.u16(type).u16(to - from).u16(index).bytes(value, from, to);
    }

    /**
     * Appends a Group TLV: gives several NLRI, numbered from 1, the index {@code group} with {@link
     * IndexedTlvs#GROUP_BIT}.
     */
    public static void group(TlvRevision revision, int group, int[] nlri, ByteSink out) {
        out.u16(code(revision, RouteMonitoringTlv.GROUP)).u16(2 * nlri.length).u16(group | IndexedTlvs.GROUP_BIT);
        for (int one : nlri) {
            out.u16(one);
        }
    }

    /** Appends a path marking TLV, see {@link PathMarking}. */
    public static void pathMarking(TlvRevision revision, int index, long marking, ByteSink out) {
        boolean reason = PathMarking.hasReason(marking);
        out.u16(code(revision, RouteMonitoringTlv.PATH_MARKING))
                .u16(reason ? 6 : 4)
                .u16(index)
                .u32(PathMarking.status(marking));
        if (reason) {
            out.u16(PathMarking.reason(marking));
        }
    }

    /** Appends the TLV with the UPDATE of a Route Monitoring message of version 4. */
    public static void bgpMessage(TlvRevision revision, byte[] update, int from, int to, ByteSink out) {
        indexedTlv(code(revision, RouteMonitoringTlv.BGP_MESSAGE), 0, update, from, to, out);
    }

    private static int code(TlvRevision revision, RouteMonitoringTlv kind) {
        int code = revision.code(kind);
        if (code == 0) {
            throw new IllegalArgumentException(revision + " has no code for " + kind);
        }
        return code;
    }
}
