package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/** Validates, formats and keys the NLRI of one family. Path identifiers are the caller's. Stateless. */
sealed interface NlriCodec
        permits PrefixNlri,
                TypedNlri,
                FlowSpecNlri,
                LinkStateNlri,
                RouteTargetNlri,
                SrPolicyNlri,
                VplsNlri,
                OpaqueNlri {

    /**
     * Returns the end of the NLRI at {@code at}, which is less than {@code limit}, or a
     * {@link NlriFault#asResult fault}. All fields of the NLRI are validated, so that the other methods are called with
     * whole NLRI only. Does not allocate.
     */
    int next(byte[] b, int at, int limit);

    /** Appends the canonical text. */
    void text(byte[] b, int from, int to, StringBuilder out);

    /**
     * Appends the bytes that distinguish this route from others of the family. Does not allocate, unless the sink
     * grows.
     */
    default void key(byte[] b, int from, int to, ByteSink out) {
        out.bytes(b, from, to);
    }

    /** Returns the codec of a family, {@link OpaqueNlri} for a family without a known layout. */
    static NlriCodec of(int family) {
        if (NlriFormat.isPrefix(family)) {
            return PrefixNlri.of(family);
        }
        return switch (family) {
            case Family.EVPN -> TypedNlri.EVPN;
            case 1 << 8 | 5, 2 << 8 | 5 -> TypedNlri.MCAST_VPN;
            case Family.BGP_LS -> LinkStateNlri.PLAIN;
            case Family.BGP_LS_VPN -> LinkStateNlri.VPN;
            case 1 << 8 | 73 -> SrPolicyNlri.IPV4;
            case 2 << 8 | 73 -> SrPolicyNlri.IPV6;
            case Family.VPLS -> VplsNlri.INSTANCE;
            default -> bySafi(family);
        };
    }

    /** Returns the codec of a family whose layout is the same for every AFI. */
    private static NlriCodec bySafi(int family) {
        int afi = Family.afi(family);
        return switch (Family.safi(family)) {
            case 132 -> RouteTargetNlri.INSTANCE;
            case 133 -> FlowSpecNlri.of(afi, false);
            case 134 -> FlowSpecNlri.of(afi, true);
            default -> OpaqueNlri.INSTANCE;
        };
    }
}
