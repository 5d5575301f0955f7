package dev.silkroute.load;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/**
 * Unicast, labelled unicast (RFC 8277) and VPN NLRI (RFC 4364).
 *
 * <pre>
 * u8 bits | [u24 label field] | [u64 route distinguisher] | prefix
 * </pre>
 */
final class PrefixNlriSeries extends NlriSeries {
    /** The label field of a withdrawal (RFC 8277, Section 2.4). */
    private static final int WITHDRAWN_LABEL = 0x80_0000;

    private static final int LABEL_BITS = 24;
    private static final int RD_BITS = 64;
    private static final int FIRST_UNRESERVED_LABEL = 16; // RFC 3032, Section 2.1

    private final PrefixTable prefixes;
    private final boolean hasRd;
    private final boolean hasLabel;

    PrefixNlriSeries(int family, PrefixTable prefixes) {
        super(family);
        this.prefixes = prefixes;
        hasRd = Family.safi(family) == Family.safi(Family.VPNV4);
        hasLabel = hasRd || Family.safi(family) == Family.safi(Family.IPV4_LABELED_UNICAST);
    }

    boolean hasRd() {
        return hasRd;
    }

    boolean hasLabel() {
        return hasLabel;
    }

    PrefixTable prefixes() {
        return prefixes;
    }

    static int label(int i) {
        return FIRST_UNRESERVED_LABEL + i % 1_000_000;
    }

    @Override
    void write(int i, boolean withdrawal, ByteSink out) {
        out.u8(prefixes.length(i) + (hasLabel ? LABEL_BITS : 0) + (hasRd ? RD_BITS : 0));
        if (hasLabel) {
            int field = withdrawal ? WITHDRAWN_LABEL : label(i) << 4 | 1;
            out.u8(field >>> 16).u16(field);
        }
        if (hasRd) {
            rd(i, out);
        }
        address(prefixes, i, out);
    }
}
