package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.attribute.Attribute.Fields;
import dev.silkroute.bgp.attribute.community.ExtendedCommunity;
import dev.silkroute.bgp.attribute.community.Ipv6ExtendedCommunity;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;

/** Writes the fields of path attributes whose values have been validated. Lists keep the order of the message. */
final class AttributeFields {
    private AttributeFields() {}

    static void origin(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        json.writeStringField("origin", Origin.of(b[from]).text());
    }

    /** An attribute that is one JSON value. */
    static Fields value(String name, Fields value) {
        return (b, from, to, json) -> {
            json.writeFieldName(name);
            value.write(b, from, to, json);
        };
    }

    /** An unsigned number of four bytes. */
    static Fields number(String name) {
        return (b, from, to, json) -> json.writeNumberField(name, BigEndian.u32(b, from));
    }

    /** The text does not separate two sequences in a row; a path with such has its segments beside it. */
    static Fields asPath(String name) {
        return (b, from, to, json) -> {
            AsPath path = AsPath.decode(b, from, to);
            json.writeStringField(name, path.text());
            if (!path.hasExactText()) {
                json.writeArrayFieldStart(name + "_segments");
                for (AsPath.Segment segment : path.segments()) {
                    json.writeString(new AsPath(List.of(segment)).text());
                }
                json.writeEndArray();
            }
        };
    }

    /** {@code u32 AS number | IPv4 address}. */
    static Fields aggregator(String name) {
        return (b, from, to, json) -> {
            json.writeObjectFieldStart(name);
            json.writeNumberField("asn", BigEndian.u32(b, from));
            json.writeStringField("address", Addresses.ipv4(BigEndian.i32(b, from + 4)));
            json.writeEndObject();
        };
    }

    static void originatorId(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        json.writeStringField("originator_id", Addresses.ipv4(BigEndian.i32(b, from)));
    }

    static void clusterList(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        list("cluster_list", 4, at -> Addresses.ipv4(BigEndian.i32(b, at)), from, to, json);
    }

    static void communities(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        list("communities", 4, at -> community(b, at), from, to, json);
    }

    static void largeCommunities(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        list("large_communities", 12, at -> largeCommunity(b, at), from, to, json);
    }

    /** Writes the communities as texts, and also as bytes if the text of one is that of another community, too. */
    static void extendedCommunities(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        list("ext_communities", 8, at -> ExtendedCommunity.text(BigEndian.i64(b, at)), from, to, json);
        for (int at = from; at < to; at += 8) {
            if (!ExtendedCommunity.hasUniqueText(BigEndian.i64(b, at))) {
                json.writeStringField("ext_communities_raw", Hex.of(b, from, to));
                return;
            }
        }
    }

    static void ipv6ExtendedCommunities(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        int size = Ipv6ExtendedCommunity.LENGTH;
        list("ipv6_ext_communities", size, at -> Ipv6ExtendedCommunity.text(b, at), from, to, json);
    }

    static String community(byte[] b, int at) {
        return BigEndian.u16(b, at) + ":" + BigEndian.u16(b, at + 2);
    }

    static String largeCommunity(byte[] b, int at) {
        return BigEndian.u32(b, at) + ":" + BigEndian.u32(b, at + 4) + ":" + BigEndian.u32(b, at + 8);
    }

    private static void list(String name, int size, IntFunction<String> element, int from, int to, JsonGenerator json)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (int at = from; at < to; at += size) {
            json.writeString(element.apply(at));
        }
        json.writeEndArray();
    }
}
