package dev.silkroute.bmp;

import java.util.Arrays;

/**
 * The numberings of Route Monitoring TLVs. The drafts of BMP version 4 (draft-ietf-grow-bmp-tlv) have renumbered them
 * twice while routers were already sending them, and nothing in a message identifies the numbering. But the value of
 * each type has a certain form, so a message is read by the revision in which most of its TLVs are valid; {@link
 * RouteMonitoringTlv} lists the codes.
 *
 * <p>The constants are in the order of preference where several revisions fit equally well.
 */
public enum TlvRevision {
    /** Drafts up to -19, which shipping routers use; path marking as numbered in its own drafts. */
    DRAFT_19,
    /** Draft -21, in which path marking has no code that is free. */
    DRAFT_21,
    /** Draft -20, in which path marking and table name share a code; the value distinguishes them. */
    DRAFT_20;

    private static final TlvRevision[] REVISIONS = values();
    private static final int MAX_CODE = 7;

    /** The kinds with a code, indexed by it. */
    private final RouteMonitoringTlv[][] kinds = new RouteMonitoringTlv[MAX_CODE + 1][];

    TlvRevision() {
        for (int code = 0; code <= MAX_CODE; code++) {
            kinds[code] = new RouteMonitoringTlv[0];
        }
    }

    static {
        for (TlvRevision revision : REVISIONS) {
            for (RouteMonitoringTlv kind : RouteMonitoringTlv.values()) {
                revision.add(kind);
            }
        }
    }

    private void add(RouteMonitoringTlv kind) {
        int code = kind.code(this);
        if (code != 0) {
            RouteMonitoringTlv[] known = kinds[code];
            RouteMonitoringTlv[] longer = Arrays.copyOf(known, known.length + 1);
            longer[known.length] = kind;
            kinds[code] = longer;
        }
    }

    static int count() {
        return REVISIONS.length;
    }

    static TlvRevision at(int ordinal) {
        return REVISIONS[ordinal];
    }

    /** Returns the code of a kind, 0 where the revision has none. */
    public int code(RouteMonitoringTlv kind) {
        return kind.code(this);
    }

    /** Returns the kind of a TLV in this revision; {@code INVALID} if its value is not valid for its type. */
    RouteMonitoringTlv kind(int type, int index, byte[] b, int from, int to) {
        if (type == 0 || type > MAX_CODE || kinds[type].length == 0) {
            return RouteMonitoringTlv.UNKNOWN;
        }
        for (RouteMonitoringTlv kind : kinds[type]) {
            if (kind.isValid(index, b, from, to)) {
                return kind;
            }
        }
        return RouteMonitoringTlv.INVALID;
    }
}
