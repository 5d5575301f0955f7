package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.JsonText;
import java.util.Map;

/**
 * BGP-LS TLVs of segment routing (RFC 9085; peer SIDs RFC 9086; SRv6 RFC 9514). Each writes {@code decoded}, an object,
 * or stays hex.
 *
 * <pre>
 * 1034, 1036 ranges:     u8 flags | u8 reserved | (u24 size | SID/label TLV 1161), again and again
 * 1099, 1101-1103 SID:   u8 flags | u8 weight | u16 reserved | SID
 * 1158 prefix SID:       u8 flags | u8 algorithm | u16 reserved | SID
 * 1106 End.X SID:        u16 behavior | u8 flags | u8 algorithm | u8 weight | u8 reserved | SID, 16 bytes | sub-TLVs
 * 1162 locator:          u8 flags | u8 algorithm | u16 reserved | u32 metric | sub-TLVs
 * 1250 behavior:         u16 behavior | u8 flags | u8 algorithm
 * 1251 BGP peer node:    u8 flags | u8 weight | u16 reserved | u32 peer AS | u32 peer BGP ID
 * 1252 SID structure:    u8 locator block, locator node, function, argument length
 * SID: a label of 3 bytes or an index of 4
 * </pre>
 */
final class LinkStateSegmentRouting {
    private static final int SID_LABEL = 1161;

    static final Map<Integer, TlvKind> KINDS = Map.ofEntries(
            Map.entry(1034, new TlvKind("sr-capabilities", LinkStateSegmentRouting::ranges)),
            Map.entry(1035, new TlvKind("sr-algorithms", LinkStateValue.numbers(1))),
            Map.entry(1036, new TlvKind("sr-local-block", LinkStateSegmentRouting::ranges)),
            Map.entry(1037, new TlvKind("srms-preference", LinkStateValue.number(1))),
            Map.entry(1038, new TlvKind("srv6-capabilities", LinkStateSegmentRouting::srv6Capabilities)),
            Map.entry(1039, TlvKind.named("flexible-algorithm-definition")),
            Map.entry(1044, TlvKind.named("flexible-algorithm-prefix-metric")),
            Map.entry(1099, new TlvKind("adjacency-sid", LinkStateSegmentRouting::weightedSid)),
            Map.entry(1100, TlvKind.named("lan-adjacency-sid")),
            Map.entry(1101, new TlvKind("peer-node-sid", LinkStateSegmentRouting::weightedSid)),
            Map.entry(1102, new TlvKind("peer-adjacency-sid", LinkStateSegmentRouting::weightedSid)),
            Map.entry(1103, new TlvKind("peer-set-sid", LinkStateSegmentRouting::weightedSid)),
            Map.entry(1106, new TlvKind("srv6-end.x-sid", LinkStateSegmentRouting::endXSid)),
            Map.entry(1107, TlvKind.named("isis-srv6-lan-end.x-sid")),
            Map.entry(1108, TlvKind.named("ospfv3-srv6-lan-end.x-sid")),
            Map.entry(1158, new TlvKind("prefix-sid", LinkStateSegmentRouting::prefixSid)),
            Map.entry(1159, TlvKind.named("range")),
            Map.entry(SID_LABEL, TlvKind.named("sid-label")),
            Map.entry(1162, new TlvKind("srv6-locator", LinkStateSegmentRouting::locator)),
            Map.entry(1170, TlvKind.named("prefix-attribute-flags")),
            Map.entry(1171, new TlvKind("source-router-id", LinkStateValue::address)),
            Map.entry(1174, new TlvKind("source-ospf-router-id", LinkStateValue::address)),
            Map.entry(1250, new TlvKind("srv6-endpoint-behavior", LinkStateSegmentRouting::behavior)),
            Map.entry(1251, new TlvKind("srv6-bgp-peer-node-sid", LinkStateSegmentRouting::peerNode)),
            Map.entry(1252, new TlvKind("srv6-sid-structure", LinkStateSegmentRouting::structure)));

    private LinkStateSegmentRouting() {}

    private static JsonText open(JsonText json) {
        return json.name("decoded").begin();
    }

    private static boolean ranges(byte[] b, int from, int to, JsonText json) {
        int at = from + 2;
        while (at < to && to - at >= 10 && BigEndian.u16(b, at + 3) == SID_LABEL && isSid(BigEndian.u16(b, at + 5))) {
            at += 7 + BigEndian.u16(b, at + 5);
        }
        if (at != to) {
            return false;
        }
        open(json).field("flags", BigEndian.u8(b, from)).name("ranges").beginArray();
        for (at = from + 2; at < to; at += 7 + BigEndian.u16(b, at + 5)) {
            json.begin().field("size", BigEndian.u24(b, at));
            sid(b, at + 7, BigEndian.u16(b, at + 5), json);
            json.end();
        }
        json.endArray().end();
        return true;
    }

    private static boolean weightedSid(byte[] b, int from, int to, JsonText json) {
        return sid("weight", b, from, to, json);
    }

    private static boolean prefixSid(byte[] b, int from, int to, JsonText json) {
        return sid("algorithm", b, from, to, json);
    }

    private static boolean sid(String second, byte[] b, int from, int to, JsonText json) {
        if (!isSid(to - from - 4)) {
            return false;
        }
        open(json).field("flags", BigEndian.u8(b, from)).field(second, BigEndian.u8(b, from + 1));
        sid(b, from + 4, to - from - 4, json);
        json.end();
        return true;
    }

    private static boolean isSid(int length) {
        return length == 3 || length == 4;
    }

    private static void sid(byte[] b, int at, int length, JsonText json) {
        if (length == 3) {
            json.field("label", BigEndian.u24(b, at) & 0xFFFFF);
        } else {
            json.field("index", BigEndian.u32(b, at));
        }
    }

    private static boolean srv6Capabilities(byte[] b, int from, int to, JsonText json) {
        if (to - from == 4) {
            open(json).field("flags", BigEndian.u16(b, from)).end();
        }
        return to - from == 4;
    }

    private static boolean endXSid(byte[] b, int from, int to, JsonText json) {
        if (to - from < 22 || !TlvFormat.WIDE.fits(b, from + 22, to)) {
            return false;
        }
        open(json)
                .field("behavior", BigEndian.u16(b, from))
                .field("flags", BigEndian.u8(b, from + 2))
                .field("algorithm", BigEndian.u8(b, from + 3))
                .field("weight", BigEndian.u8(b, from + 4))
                .field("sid", Addresses.ipv6(BigEndian.i64(b, from + 6), BigEndian.i64(b, from + 14)))
                .end();
        return true;
    }

    private static boolean locator(byte[] b, int from, int to, JsonText json) {
        if (to - from < 8 || !TlvFormat.WIDE.fits(b, from + 8, to)) {
            return false;
        }
        open(json)
                .field("flags", BigEndian.u8(b, from))
                .field("algorithm", BigEndian.u8(b, from + 1))
                .field("metric", BigEndian.u32(b, from + 4))
                .end();
        return true;
    }

    private static boolean behavior(byte[] b, int from, int to, JsonText json) {
        if (to - from == 4) {
            open(json)
                    .field("behavior", BigEndian.u16(b, from))
                    .field("flags", BigEndian.u8(b, from + 2))
                    .field("algorithm", BigEndian.u8(b, from + 3))
                    .end();
        }
        return to - from == 4;
    }

    private static boolean peerNode(byte[] b, int from, int to, JsonText json) {
        if (to - from == 12) {
            open(json)
                    .field("flags", BigEndian.u8(b, from))
                    .field("weight", BigEndian.u8(b, from + 1))
                    .field("peer_asn", BigEndian.u32(b, from + 4))
                    .field("peer_bgp_id", Addresses.ipv4(BigEndian.i32(b, from + 8)))
                    .end();
        }
        return to - from == 12;
    }

    private static boolean structure(byte[] b, int from, int to, JsonText json) {
        if (to - from == 4) {
            open(json)
                    .field("locator_block_length", BigEndian.u8(b, from))
                    .field("locator_node_length", BigEndian.u8(b, from + 1))
                    .field("function_length", BigEndian.u8(b, from + 2))
                    .field("argument_length", BigEndian.u8(b, from + 3))
                    .end();
        }
        return to - from == 4;
    }
}
