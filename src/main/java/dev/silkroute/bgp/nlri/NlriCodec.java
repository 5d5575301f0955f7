package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/** What there is to know about the NLRI of a family, path identifiers aside. Stateless. */
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
     * The end of the NLRI at {@code at}, which is before {@code limit}, or a {@link NlriFault#asResult fault}. Everything inside has been
     * checked then: the other methods are only called with whole NLRI. Allocates nothing.
     */
    int next(byte[] b, int at, int limit);

    /** Appends the canonical text. */
    void text(byte[] b, int from, int to, StringBuilder out);

    /**
     * Appends the bytes of a text.
     *
     * @throws IllegalArgumentException if it is none of this family
     */
    void parse(NlriTokens in, ByteSink out);

    /** Appends the bytes that tell this route from others. Allocates nothing but what the sink may need. */
    default void key(byte[] b, int from, int to, ByteSink out) {
        out.bytes(b, from, to);
    }

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

    /** Families whose layout is the same under every AFI. */
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
