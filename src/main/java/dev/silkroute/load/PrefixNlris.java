package dev.silkroute.load;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.List;

/**
 * Unicast, labelled unicast (RFC 8277) and VPN routes (RFC 4364).
 *
 * <pre>
 * u8 bits | [u24 label field] | [u64 route distinguisher] | prefix
 * </pre>
 */
final class PrefixNlris extends Nlris {
    /** What stands for a label in a withdrawal (RFC 8277, Section 2.4). */
    private static final int NO_LABEL = 0x80_0000;

    private static final int LABEL_BITS = 24;
    private static final int RD_BITS = 64;

    private final PrefixTable prefixes;
    private final boolean vpn;
    private final boolean labelled;

    PrefixNlris(int family, PrefixTable prefixes) {
        super(family);
        this.prefixes = prefixes;
        vpn = Family.safi(family) == Family.safi(Family.VPNV4);
        labelled = vpn || Family.safi(family) == Family.safi(Family.IPV4_LABELED_UNICAST);
    }

    @Override
    String text(int i) {
        return vpn ? rd(i) + " " + prefix(prefixes, i) : prefix(prefixes, i);
    }

    @Override
    List<Integer> labels(int i) {
        return labelled ? List.of(label(i)) : List.of();
    }

    @Override
    void write(int i, boolean withdrawal, ByteSink out) {
        out.u8(prefixes.length(i) + (labelled ? LABEL_BITS : 0) + (vpn ? RD_BITS : 0));
        if (labelled) {
            int field = withdrawal ? NO_LABEL : label(i) << 4 | 1;
            out.u8(field >>> 16).u16(field);
        }
        if (vpn) {
            rd(i, out);
        }
        address(prefixes, i, out);
    }

    /** 0 to 15 mean something of their own (RFC 3032, Section 2.1). */
    private static int label(int i) {
        return 16 + i % 1_000_000;
    }
}
