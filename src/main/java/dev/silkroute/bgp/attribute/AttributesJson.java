package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Writes an attribute set as JSON without losing a byte. Only attributes that are there have a key, in this order:
 *
 * <pre>
 * origin               "igp", "egp", "incomplete"
 * as_path              "64500 {64501,64502}"
 * family               the family of MP_REACH_NLRI, "ipv6-unicast"
 * next_hop             "192.0.2.1"; null for an empty one
 * next_hop_link_local  "fe80::1"
 * next_hop_raw         hex, where the next hop is more than one or two addresses
 * next_hop_attribute   NEXT_HOP beside MP_REACH_NLRI, which it means nothing to
 * med, local_pref      numbers
 * atomic_aggregate     true
 * aggregator           {"asn": 64500, "address": "192.0.2.1"}
 * communities          ["64500:1"]
 * originator_id        "192.0.2.1"
 * cluster_list         ["192.0.2.1"]
 * ext_communities      ["rt:64500:1", "0x030c000000000008"]
 * as4_path, as4_aggregator   as they came, merged above already
 * pmsi_tunnel          {"flags": 0, "tunnel_type": 6, "label": 100, "label_raw": "000641", "identifier": hex}; label is the upper 20 bits
 * tunnel_encapsulation [{"type": 8, "value": hex}]
 * ipv6_ext_communities [hex]
 * aigp                 [{"type": 1, "value": hex, "metric": 100}]
 * bgp_ls               [{"type": 1026, "value": hex}]
 * large_communities    ["64500:1:2"]
 * otc                  64500
 * prefix_sid           [{"type": 1, "value": hex}]
 * attr_set             {"origin_asn": 64500, "value": hex}
 * unknown              [{"type": 251, "flags": 208, "value": hex}], ascending
 * partial              [8, 32]: types whose partial bit is set (RFC 4271, Section 4.3)
 * </pre>
 */
final class AttributesJson {
    private final PathAttributes set;
    private final JsonText json = new JsonText();

    private AttributesJson(PathAttributes set) {
        this.set = set;
    }

    static String write(PathAttributes set) {
        return new AttributesJson(set).write();
    }

    private String write() {
        json.begin();
        Origin origin = set.origin();
        if (origin != null) {
            json.field("origin", origin.text());
        }
        path("as_path", set.asPath());
        nextHop();
        number("med", AttributeCode.MULTI_EXIT_DISC);
        number("local_pref", AttributeCode.LOCAL_PREF);
        if (set.has(AttributeCode.ATOMIC_AGGREGATE)) {
            json.field("atomic_aggregate", true);
        }
        aggregator("aggregator", AttributeCode.AGGREGATOR);
        if (set.has(AttributeCode.COMMUNITIES)) {
            json.field("communities", set.communities());
        }
        if (set.has(AttributeCode.ORIGINATOR_ID)) {
            json.field("originator_id", Addresses.ipv4(i32(AttributeCode.ORIGINATOR_ID, 0)));
        }
        if (set.has(AttributeCode.CLUSTER_LIST)) {
            json.field(
                    "cluster_list",
                    set.list(AttributeCode.CLUSTER_LIST, 4, at -> Addresses.ipv4(BigEndian.i32(set.bytes(), at))));
        }
        if (set.has(AttributeCode.EXTENDED_COMMUNITIES)) {
            json.field("ext_communities", set.extendedCommunities());
        }
        path("as4_path", set.as4Path());
        aggregator("as4_aggregator", AttributeCode.AS4_AGGREGATOR);
        pmsiTunnel();
        tlvs("tunnel_encapsulation", AttributeCode.TUNNEL_ENCAPSULATION, 2, false);
        if (set.has(AttributeCode.IPV6_EXTENDED_COMMUNITIES)) {
            json.field("ipv6_ext_communities", set.ipv6ExtendedCommunities());
        }
        tlvs("aigp", AttributeCode.AIGP, 1, true);
        tlvs("bgp_ls", AttributeCode.BGP_LS, 2, false);
        if (set.has(AttributeCode.LARGE_COMMUNITIES)) {
            json.field("large_communities", set.largeCommunities());
        }
        number("otc", AttributeCode.ONLY_TO_CUSTOMER);
        tlvs("prefix_sid", AttributeCode.PREFIX_SID, 1, false);
        attrSet();
        unknown();
        partial();
        return json.end().toString();
    }

    private int i32(int type, int offset) {
        return BigEndian.i32(set.bytes(), set.from(type) + offset);
    }

    private String hex(int type, int offset) {
        return Hex.of(set.bytes(), set.from(type) + offset, set.end(type));
    }

    private void number(String name, int type) {
        set.u32(type).ifPresent(value -> json.field(name, value));
    }

    private void path(String name, @Nullable AsPath path) {
        if (path != null) {
            json.field(name, path.text());
        }
    }

    private void nextHop() {
        set.family().ifPresent(family -> json.field("family", Family.text(family)));
        NextHop nextHop = set.nextHop();
        NextHop legacy = set.legacyNextHop();
        if (nextHop != null) {
            json.field("next_hop", nextHop.text());
            if (nextHop.hasLinkLocal()) {
                json.field("next_hop_link_local", nextHop.linkLocalText());
            }
            int length = nextHop.raw().length();
            if (nextHop.isAddress() && (length == 12 || length == 24 || length == 48)) {
                json.field("next_hop_raw", nextHop.raw().hex());
            }
        } else if (set.has(AttributeCode.MP_REACH_NLRI)) {
            json.name("next_hop").json("null");
        }
        if (legacy != null && set.has(AttributeCode.MP_REACH_NLRI)) {
            json.field("next_hop_attribute", legacy.text());
        }
    }

    private void aggregator(String name, int type) {
        if (set.has(type)) {
            json.name(name)
                    .begin()
                    .field("asn", Integer.toUnsignedLong(i32(type, 0)))
                    .field("address", Addresses.ipv4(i32(type, 4)))
                    .end();
        }
    }

    /** {@code u8 flags | u8 tunnel type | u24 label | identifier} (RFC 6514, Section 5). */
    private void pmsiTunnel() {
        if (set.has(AttributeCode.PMSI_TUNNEL)) {
            byte[] b = set.bytes();
            int at = set.from(AttributeCode.PMSI_TUNNEL);
            json.name("pmsi_tunnel")
                    .begin()
                    .field("flags", BigEndian.u8(b, at))
                    .field("tunnel_type", BigEndian.u8(b, at + 1))
                    .field("label", BigEndian.u24(b, at + 2) >>> 4)
                    .field("label_raw", Hex.of(b, at + 2, at + 5))
                    .field("identifier", hex(AttributeCode.PMSI_TUNNEL, 5))
                    .end();
        }
    }

    /** TLVs that {@link AttributeRules} has checked: a type of one or two bytes, a u16 length that may count the header too. */
    private void tlvs(String name, int attribute, int typeSize, boolean lengthCountsHeader) {
        if (!set.has(attribute)) {
            return;
        }
        byte[] b = set.bytes();
        json.name(name).beginArray();
        int at = set.from(attribute);
        while (at < set.end(attribute)) {
            int type = typeSize == 1 ? BigEndian.u8(b, at) : BigEndian.u16(b, at);
            int header = typeSize + 2;
            int length = BigEndian.u16(b, at + typeSize) - (lengthCountsHeader ? header : 0);
            json.begin().field("type", type).field("value", Hex.of(b, at + header, at + header + length));
            if (attribute == AttributeCode.AIGP && type == 1) {
                json.name("metric").json(Long.toUnsignedString(BigEndian.i64(b, at + header)));
            }
            json.end();
            at += header + length;
        }
        json.endArray();
    }

    private void attrSet() {
        if (set.has(AttributeCode.ATTR_SET)) {
            json.name("attr_set")
                    .begin()
                    .field("origin_asn", Integer.toUnsignedLong(i32(AttributeCode.ATTR_SET, 0)))
                    .field("value", hex(AttributeCode.ATTR_SET, 4))
                    .end();
        }
    }

    private void unknown() {
        if (set.types().stream().allMatch(AttributeCode::known)) {
            return;
        }
        json.name("unknown").beginArray();
        for (int type : set.types()) {
            if (!AttributeCode.known(type)) {
                json.begin()
                        .field("type", type)
                        .field("flags", set.flags(type))
                        .field("value", set.value(type).map(Bytes::hex).orElse(""))
                        .end();
            }
        }
        json.endArray();
    }

    private void partial() {
        if (set.types().stream().noneMatch(type -> (set.flags(type) & AttributeCode.FLAG_PARTIAL) != 0)) {
            return;
        }
        json.name("partial").beginArray();
        for (int type : set.types()) {
            if ((set.flags(type) & AttributeCode.FLAG_PARTIAL) != 0) {
                json.value(type);
            }
        }
        json.endArray();
    }
}
