package dev.silkroute.bgp.attribute;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;

/** Encodes attributes that the product decodes but never sends in this form. */
public final class MoreAttributes {
    private MoreAttributes() {}

    /**
     * @param nextHop without its length
     * @param nlri with path identifiers if the session has them
     */
    public static AttributesEncoder mpReach(AttributesEncoder out, int family, Bytes nextHop, Bytes nlri) {
        return put(
                out,
                AttributeCode.MP_REACH_NLRI,
                new ByteSink()
                        .u16(Family.afi(family))
                        .u8(Family.safi(family))
                        .u8(nextHop.length())
                        .bytes(nextHop)
                        .u8(0)
                        .bytes(nlri));
    }

    /** @param label the 24 bits of the field: an MPLS label in the upper 20, or a VNI */
    public static void pmsiTunnel(AttributesEncoder out, int flags, int tunnelType, int label, Bytes identifier) {
        put(
                out,
                AttributeCode.PMSI_TUNNEL,
                new ByteSink()
                        .u8(flags)
                        .u8(tunnelType)
                        .u8(label >>> 16)
                        .u16(label)
                        .bytes(identifier));
    }

    public static void aigp(AttributesEncoder out, long metric) {
        put(out, AttributeCode.AIGP, new ByteSink(16).u8(1).u16(11).i64(metric));
    }

    public static AttributesEncoder onlyToCustomer(AttributesEncoder out, int asn) {
        return put(out, AttributeCode.ONLY_TO_CUSTOMER, new ByteSink(16).u32(asn));
    }

    /** @param attributes written by an encoder with four-octet AS numbers (RFC 6368, Section 5) */
    public static void attrSet(AttributesEncoder out, int originAsn, Bytes attributes) {
        put(out, AttributeCode.ATTR_SET, new ByteSink().u32(originAsn).bytes(attributes));
    }

    private static AttributesEncoder put(AttributesEncoder out, int type, ByteSink value) {
        return out.attribute(type, Bytes.of(value.toByteArray()));
    }
}
