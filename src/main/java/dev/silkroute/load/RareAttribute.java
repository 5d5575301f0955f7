package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An attribute that few routes have, or none of most families.
 *
 * @param key in the column {@code attributes}, and {@code described} what is there
 */
record RareAttribute(int type, int flags, Bytes value, String key, Object described) {
    /** Reserved for development (IANA "BGP Path Attributes"): nobody knows it. */
    static final int UNKNOWN = 255;

    private static final int TRANSITIVE = AttributeCode.FLAG_OPTIONAL | AttributeCode.FLAG_TRANSITIVE;
    private static final int VXLAN = 8;
    private static final int VNI_VALID = 0x80;
    private static final int INGRESS_REPLICATION = 6;
    private static final int END_DT4 = 19;
    private static final int END_DT6 = 18;

    /** 2001:db8:53::/64. */
    private static final long LOCATOR = 0x2001_0DB8_0053_0000L;

    private static RareAttribute transitive(int type, ByteSink value, String key, Object described) {
        return new RareAttribute(type, TRANSITIVE, Bytes.of(value.toByteArray()), key, described);
    }

    private static String hex(ByteSink bytes) {
        return Bytes.of(bytes.toByteArray()).hex();
    }

    /** RFC 7311, Section 3. */
    static RareAttribute aigp(long metric) {
        ByteSink value = new ByteSink(16).u8(1).u16(11).i64(metric);
        Map<String, Object> tlv =
                Map.of("type", 1, "name", "aigp", "value", "%016x".formatted(metric), "metric", metric);
        return new RareAttribute(
                AttributeCode.AIGP, AttributeCode.FLAG_OPTIONAL, Bytes.of(value.toByteArray()), "aigp", List.of(tlv));
    }

    /** RFC 9234, Section 5. */
    static RareAttribute onlyToCustomer(int asn) {
        return transitive(
                AttributeCode.ONLY_TO_CUSTOMER, new ByteSink(16).u32(asn), "otc", Integer.toUnsignedLong(asn));
    }

    /** RFC 8669, Section 3.1. */
    static RareAttribute labelIndex(int index) {
        ByteSink tlv = new ByteSink(16).u8(0).u16(0).u32(index);
        ByteSink value = new ByteSink(16).u8(1).u16(7).bytes(tlv.array(), 0, 7);
        return transitive(
                AttributeCode.PREFIX_SID,
                value,
                "prefix_sid",
                List.of(Map.of("type", 1, "name", "label-index", "value", hex(tlv), "flags", 0, "label_index", index)));
    }

    /** A SID of an SRv6 L3 service, no bits of which are in the label (RFC 9252, Sections 2, 3 and 3.2.1). */
    static RareAttribute srv6Service(boolean ipv6, int function) {
        int behavior = ipv6 ? END_DT6 : END_DT4;
        ByteSink sid = new ByteSink(64).u8(0).i64(LOCATOR).i64((long) function << 48);
        sid.u8(0).u16(behavior).u8(0);
        sid.u8(1).u16(6).u8(48).u8(16).u8(16).u8(0).u16(0);
        ByteSink service = new ByteSink(64).u8(0).u8(1).u16(sid.position()).bytes(sid.array(), 0, sid.position());
        ByteSink value = new ByteSink(64).u8(5).u16(service.position()).bytes(service.array(), 0, service.position());
        Map<String, Object> structure = new HashMap<>(Map.of("type", 1, "name", "srv6-sid-structure"));
        structure.putAll(Map.of("locator_block_length", 48, "locator_node_length", 16, "function_length", 16));
        structure.putAll(Map.of("argument_length", 0, "transposition_length", 0, "transposition_offset", 0));
        Map<String, Object> information = new HashMap<>(Map.of("type", 1, "name", "srv6-sid-information"));
        information.putAll(Map.of("sid", Addresses.ipv6(LOCATOR, (long) function << 48), "flags", 0));
        information.putAll(Map.of("behavior", behavior, "behavior_name", ipv6 ? "End.DT6" : "End.DT4"));
        information.put("sub_tlvs", List.of(structure));
        Map<String, Object> tlv =
                Map.of("type", 5, "name", "srv6-l3-service", "value", hex(service), "sub_tlvs", List.of(information));
        return transitive(AttributeCode.PREFIX_SID, value, "prefix_sid", List.of(tlv));
    }

    /**
     * VXLAN to an endpoint (RFC 9012, Sections 2, 3.1 and 3.2.1). Without a colour: Wireshark 4.0 takes four of its eight bytes for all of
     * it, and loses its place.
     */
    static RareAttribute tunnel(int endpoint, int vni) {
        ByteSink subs =
                new ByteSink(32).u8(1).u8(12).u8(VNI_VALID).u8(vni >>> 16).u16(vni);
        subs.i64(0).u8(6).u8(10).u32(0).u16(1).u32(endpoint);
        ByteSink value = new ByteSink(64).u16(VXLAN).u16(subs.position()).bytes(subs.array(), 0, subs.position());
        Map<String, Object> overlay = Map.of("type", 1, "name", "encapsulation", "flags", VNI_VALID, "vni", vni);
        Map<String, Object> egress =
                Map.of("type", 6, "name", "tunnel-egress-endpoint", "afi", 1, "address", Addresses.ipv4(endpoint));
        Map<String, Object> tunnel =
                Map.of("type", VXLAN, "name", "vxlan", "value", hex(subs), "sub_tlvs", List.of(overlay, egress));
        return transitive(AttributeCode.TUNNEL_ENCAPSULATION, value, "tunnel_encapsulation", List.of(tunnel));
    }

    /** Copies for everybody, with a VNI in the label field (RFC 6514, Section 5; RFC 8365, Section 5.1.3). */
    static RareAttribute ingressReplication(int vni, int endpoint) {
        ByteSink value = new ByteSink(16)
                .u8(0)
                .u8(INGRESS_REPLICATION)
                .u8(vni >>> 16)
                .u16(vni)
                .u32(endpoint);
        return transitive(
                AttributeCode.PMSI_TUNNEL,
                value,
                "pmsi_tunnel",
                Map.of(
                        "flags",
                        0,
                        "leaf_information_required",
                        false,
                        "tunnel_type",
                        INGRESS_REPLICATION,
                        "tunnel_type_name",
                        "ingress-replication",
                        "label",
                        vni >>> 4,
                        "label_raw",
                        "%06x".formatted(vni),
                        "identifier",
                        "%08x".formatted(endpoint),
                        "endpoint",
                        Addresses.ipv4(endpoint)));
    }

    /** What a customer's route had before: an origin of IGP, a path of one AS and a MED (RFC 6368, Section 5). */
    static RareAttribute customerAttributes(int originAsn, int asn, int med) {
        ByteSink inner =
                new ByteSink(32).u8(0x40).u8(AttributeCode.ORIGIN).u8(1).u8(0);
        inner.u8(0x40).u8(AttributeCode.AS_PATH).u8(6).u8(2).u8(1).u32(asn);
        inner.u8(0x80).u8(AttributeCode.MULTI_EXIT_DISC).u8(4).u32(med);
        ByteSink value = new ByteSink(32).u32(originAsn).bytes(inner.array(), 0, inner.position());
        Map<String, Object> set =
                Map.of("origin", "igp", "as_path", Integer.toUnsignedString(asn), "med", Integer.toUnsignedLong(med));
        return transitive(
                AttributeCode.ATTR_SET,
                value,
                "attr_set",
                Map.of("origin_asn", Integer.toUnsignedLong(originAsn), "value", hex(inner), "attributes", set));
    }

    /** @param partial whether a router on the way did not know it either (RFC 4271, Section 4.3) */
    static RareAttribute unknown(int bytes, boolean partial) {
        int flags = TRANSITIVE | (partial ? AttributeCode.FLAG_PARTIAL : 0);
        Map<String, Object> described = Map.of(
                "type", UNKNOWN, "flags", flags | AttributeCode.FLAG_EXTENDED_LENGTH, "value", "%08x".formatted(bytes));
        return new RareAttribute(
                UNKNOWN, flags, Bytes.of(new ByteSink(16).u32(bytes).toByteArray()), "unknown", List.of(described));
    }

    boolean partial() {
        return (flags & AttributeCode.FLAG_PARTIAL) != 0;
    }
}
