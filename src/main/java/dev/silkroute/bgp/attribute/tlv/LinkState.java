package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * The BGP-LS attribute: properties of nodes (1024 to 1029), links (1030 to 1122) and prefixes (1152 to 1157) (RFC 9552,
 * Section 5.3; delays RFC 8571; MSD RFC 8814). IANA "BGP-LS NLRI and Attribute TLVs". {@link LinkStateValue} has the
 * layouts of their values, {@link LinkStateSegmentRouting} the TLVs of segment routing.
 */
public final class LinkState {
    private static final TlvRegistry TLVS = new TlvRegistry(TlvFormat.WIDE)
            .addAll(LinkStateSegmentRouting.TLVS)
            .add(263, "multi-topology-id", LinkStateValue.numbers(2))
            .add(266, "node-msd", LinkStateValue::msd)
            .add(267, "link-msd", LinkStateValue::msd)
            .add(1024, "node-flags", LinkStateValue.number(1))
            .add(1025, "opaque-node")
            .add(1026, "node-name", LinkStateValue::text)
            .add(1027, "isis-area")
            .add(1028, "ipv4-router-id-local", LinkStateValue::address)
            .add(1029, "ipv6-router-id-local", LinkStateValue::address)
            .add(1030, "ipv4-router-id-remote", LinkStateValue::address)
            .add(1031, "ipv6-router-id-remote", LinkStateValue::address)
            .add(1088, "admin-group", LinkStateValue.number(4))
            .add(1089, "max-bandwidth", LinkStateValue::bandwidth)
            .add(1090, "max-reservable-bandwidth", LinkStateValue::bandwidth)
            .add(1091, "unreserved-bandwidth", LinkStateValue::bandwidths)
            .add(1092, "te-default-metric", LinkStateValue.number(4))
            .add(1093, "link-protection-type", LinkStateValue.number(2))
            .add(1094, "mpls-protocol-mask", LinkStateValue.number(1))
            .add(1095, "igp-metric", LinkStateValue::igpMetric)
            .add(1096, "srlg", LinkStateValue.numbers(4))
            .add(1097, "opaque-link")
            .add(1098, "link-name", LinkStateValue::text)
            .add(1114, "unidirectional-delay", LinkStateValue::delay)
            .add(1115, "min-max-delay", LinkStateValue::minMaxDelay)
            .add(1116, "delay-variation", LinkStateValue::delay)
            .add(1117, "unidirectional-loss", LinkStateValue::delay)
            .add(1118, "residual-bandwidth", LinkStateValue::bandwidth)
            .add(1119, "available-bandwidth", LinkStateValue::bandwidth)
            .add(1120, "utilized-bandwidth", LinkStateValue::bandwidth)
            .add(1122, "application-specific-link-attributes")
            .add(1172, "l2-bundle-member")
            .add(1173, "extended-admin-group", LinkStateValue.numbers(4))
            .add(1152, "igp-flags", LinkStateValue.number(1))
            .add(1153, "igp-route-tag", LinkStateValue.numbers(4))
            .add(1154, "igp-extended-route-tag")
            .add(1155, "prefix-metric", LinkStateValue.number(4))
            .add(1156, "ospf-forwarding-address", LinkStateValue::address)
            .add(1157, "opaque-prefix");

    private LinkState() {}

    /** Returns whether the bytes are whole TLVs; what is in them is not validated (RFC 9552, Section 8.2.2). */
    public static boolean fits(byte[] b, int from, int to) {
        return TlvFormat.WIDE.fits(b, from, to);
    }

    /** Writes an attribute that fits as a JSON array. */
    public static void write(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        TLVS.write(b, from, to, json);
    }
}
