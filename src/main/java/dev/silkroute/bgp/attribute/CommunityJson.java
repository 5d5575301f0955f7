package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;

/** The list attributes: communities of all kinds, and CLUSTER_LIST. Elements are in the order of the message. */
final class CommunityJson {
    private CommunityJson() {}

    static void communities(byte[] b, int from, int to, JsonText json) {
        AttributeField.list("communities", 4, at -> community(b, at), from, to, json);
    }

    static void large(byte[] b, int from, int to, JsonText json) {
        AttributeField.list("large_communities", 12, at -> largeCommunity(b, at), from, to, json);
    }

    static void clusterList(byte[] b, int from, int to, JsonText json) {
        AttributeField.list("cluster_list", 4, at -> Addresses.ipv4(BigEndian.i32(b, at)), from, to, json);
    }

    /** The bytes are beside the texts where a text could stand for another community. */
    static void extended(byte[] b, int from, int to, JsonText json) {
        AttributeField.list("ext_communities", 8, at -> ExtendedCommunity.text(BigEndian.i64(b, at)), from, to, json);
        for (int at = from; at < to; at += 8) {
            if (!ExtendedCommunity.isExact(BigEndian.i64(b, at))) {
                json.field("ext_communities_raw", Hex.of(b, from, to));
                return;
            }
        }
    }

    static void extendedIpv6(byte[] b, int from, int to, JsonText json) {
        AttributeField.list(
                "ipv6_ext_communities",
                Ipv6ExtendedCommunity.LENGTH,
                at -> Ipv6ExtendedCommunity.text(b, at),
                from,
                to,
                json);
    }

    static String community(byte[] b, int at) {
        return BigEndian.u16(b, at) + ":" + BigEndian.u16(b, at + 2);
    }

    static String largeCommunity(byte[] b, int at) {
        return BigEndian.u32(b, at) + ":" + BigEndian.u32(b, at + 4) + ":" + BigEndian.u32(b, at + 8);
    }
}
