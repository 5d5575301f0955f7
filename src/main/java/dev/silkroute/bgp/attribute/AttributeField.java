package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.JsonText;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Writes one attribute, whose form {@link AttributeRules} has checked, as keys of an open JSON object. */
@FunctionalInterface
interface AttributeField {

    void write(byte[] b, int from, int to, JsonText json);

    /** Writes the value of a key. */
    @FunctionalInterface
    interface Value {
        void write(byte[] b, int from, int to, JsonText json);
    }

    /** Null for attributes that are unknown or need more of the set than their own value. */
    static @Nullable AttributeField of(int type) {
        return switch (type) {
            case AttributeCode.ORIGIN ->
                (b, from, to, json) -> json.field("origin", Origin.of(b[from]).text());
            case AttributeCode.AS_PATH -> path("as_path");
            case AttributeCode.MULTI_EXIT_DISC -> number("med");
            case AttributeCode.LOCAL_PREF -> number("local_pref");
            case AttributeCode.ATOMIC_AGGREGATE -> (b, from, to, json) -> json.field("atomic_aggregate", true);
            case AttributeCode.AGGREGATOR -> key("aggregator", AttributeField::aggregator);
            case AttributeCode.COMMUNITIES -> CommunityJson::communities;
            case AttributeCode.ORIGINATOR_ID ->
                (b, from, to, json) -> json.field("originator_id", Addresses.ipv4(BigEndian.i32(b, from)));
            case AttributeCode.CLUSTER_LIST -> CommunityJson::clusterList;
            case AttributeCode.EXTENDED_COMMUNITIES -> CommunityJson::extended;
            case AttributeCode.AS4_PATH -> path("as4_path");
            case AttributeCode.AS4_AGGREGATOR -> key("as4_aggregator", AttributeField::aggregator);
            case AttributeCode.PMSI_TUNNEL -> key("pmsi_tunnel", PmsiTunnel::write);
            case AttributeCode.TUNNEL_ENCAPSULATION -> key("tunnel_encapsulation", TunnelEncapsulation::write);
            case AttributeCode.IPV6_EXTENDED_COMMUNITIES -> CommunityJson::extendedIpv6;
            case AttributeCode.AIGP -> key("aigp", Aigp::write);
            case AttributeCode.BGP_LS -> key("bgp_ls", LinkState::write);
            case AttributeCode.LARGE_COMMUNITIES -> CommunityJson::large;
            case AttributeCode.ONLY_TO_CUSTOMER -> number("otc");
            case AttributeCode.PREFIX_SID -> key("prefix_sid", PrefixSid::write);
            default -> null;
        };
    }

    private static AttributeField key(String name, Value value) {
        return (b, from, to, json) -> value.write(b, from, to, json.name(name));
    }

    private static AttributeField number(String name) {
        return (b, from, to, json) -> json.field(name, BigEndian.u32(b, from));
    }

    /** The text does not tell one sequence from two in a row: the segments are beside it then. */
    private static AttributeField path(String name) {
        return (b, from, to, json) -> {
            AsPath path = AsPath.decode(b, from, to);
            json.field(name, path.text());
            if (!path.textIsExact()) {
                json.name(name + "_segments").beginArray();
                for (AsPath.Segment segment : path.segments()) {
                    json.value(new AsPath(List.of(segment)).text());
                }
                json.endArray();
            }
        };
    }

    private static void aggregator(byte[] b, int from, int to, JsonText json) {
        json.begin()
                .field("asn", BigEndian.u32(b, from))
                .field("address", Addresses.ipv4(BigEndian.i32(b, from + 4)))
                .end();
    }

    /** The elements of a list of this element size as strings under a key. */
    static void list(String name, int size, IntFunction<String> element, int from, int to, JsonText json) {
        json.name(name).beginArray();
        for (int at = from; at < to; at += size) {
            json.value(element.apply(at));
        }
        json.endArray();
    }
}
