package dev.silkroute.bgp.attribute;

import dev.silkroute.net.JsonText;
import java.util.HashMap;
import java.util.Map;

/**
 * The BGP-LS attribute: properties of nodes, links and prefixes (RFC 9552, Section 5.3; delays RFC 8571; MSD RFC 8814;
 * segment routing RFC 9085 and 9086; SRv6 RFC 9514). Numbers: IANA "BGP-LS NLRI and Attribute TLVs". Fixed layouts are
 * {@link LinkStateValue}'s, segment routing is {@link LinkStateSegmentRouting}'s.
 */
final class LinkState {
    private static final Map<Integer, TlvKind> KINDS = new HashMap<>(LinkStateSegmentRouting.KINDS);

    static {
        kind(263, "multi-topology-id", LinkStateValue.numbers(2));
        kind(266, "node-msd", LinkStateValue::msd);
        kind(267, "link-msd", LinkStateValue::msd);
        node();
        link();
        prefix();
    }

    private LinkState() {}

    static void write(byte[] b, int from, int to, JsonText json) {
        TlvJson.attribute(TlvFormat.WIDE, KINDS, b, from, to, json);
    }

    private static void node() {
        kind(1024, "node-flags", LinkStateValue.number(1));
        named(1025, "opaque-node");
        kind(1026, "node-name", LinkStateValue::text);
        named(1027, "isis-area");
        kind(1028, "ipv4-router-id-local", LinkStateValue::address);
        kind(1029, "ipv6-router-id-local", LinkStateValue::address);
    }

    private static void link() {
        kind(1030, "ipv4-router-id-remote", LinkStateValue::address);
        kind(1031, "ipv6-router-id-remote", LinkStateValue::address);
        kind(1088, "admin-group", LinkStateValue.number(4));
        kind(1089, "max-bandwidth", LinkStateValue::bandwidth);
        kind(1090, "max-reservable-bandwidth", LinkStateValue::bandwidth);
        kind(1091, "unreserved-bandwidth", LinkStateValue::bandwidths);
        kind(1092, "te-default-metric", LinkStateValue.number(4));
        kind(1093, "link-protection-type", LinkStateValue.number(2));
        kind(1094, "mpls-protocol-mask", LinkStateValue.number(1));
        kind(1095, "igp-metric", LinkStateValue::igpMetric);
        kind(1096, "srlg", LinkStateValue.numbers(4));
        named(1097, "opaque-link");
        kind(1098, "link-name", LinkStateValue::text);
        kind(1114, "unidirectional-delay", LinkStateValue::delay);
        kind(1115, "min-max-delay", LinkStateValue::minMaxDelay);
        kind(1116, "delay-variation", LinkStateValue::delay);
        kind(1117, "unidirectional-loss", LinkStateValue::delay);
        kind(1118, "residual-bandwidth", LinkStateValue::bandwidth);
        kind(1119, "available-bandwidth", LinkStateValue::bandwidth);
        kind(1120, "utilized-bandwidth", LinkStateValue::bandwidth);
        named(1122, "application-specific-link-attributes");
        named(1172, "l2-bundle-member");
        kind(1173, "extended-admin-group", LinkStateValue.numbers(4));
    }

    private static void prefix() {
        kind(1152, "igp-flags", LinkStateValue.number(1));
        kind(1153, "igp-route-tag", LinkStateValue.numbers(4));
        named(1154, "igp-extended-route-tag");
        kind(1155, "prefix-metric", LinkStateValue.number(4));
        kind(1156, "ospf-forwarding-address", LinkStateValue::address);
        named(1157, "opaque-prefix");
    }

    private static void kind(int type, String name, TlvKind.Fields fields) {
        KINDS.put(type, new TlvKind(name, fields));
    }

    private static void named(int type, String name) {
        KINDS.put(type, TlvKind.named(name));
    }
}
