package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.attribute.tlv.TlvRegistry.FixedFields;
import dev.silkroute.net.BigEndian;
import java.io.IOException;

/**
 * TLVs of the BGP-LS attribute that describe segment routing (RFC 9085; peer SIDs RFC 9086; SRv6 RFC 9514). Each writes
 * an object {@code decoded}, or stays hex if its value is malformed.
 *
 * <pre>
 * 1034, 1036 ranges:     u8 flags | u8 reserved | (u24 size | SID/label TLV 1161), any number
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

    static final TlvRegistry TLVS = new TlvRegistry(TlvFormat.WIDE)
            .add(1034, "sr-capabilities", LinkStateSegmentRouting::ranges)
            .add(1035, "sr-algorithms", LinkStateValue.numbers(1))
            .add(1036, "sr-local-block", LinkStateSegmentRouting::ranges)
            .add(1037, "srms-preference", LinkStateValue.number(1))
            .add(
                    1038,
                    "srv6-capabilities",
                    4,
                    decoded((b, at, json) -> json.writeNumberField("flags", BigEndian.u16(b, at))))
            .add(1039, "flexible-algorithm-definition")
            .add(1044, "flexible-algorithm-prefix-metric")
            .add(1099, "adjacency-sid", LinkStateSegmentRouting::weightedSid)
            .add(1100, "lan-adjacency-sid")
            .add(1101, "peer-node-sid", LinkStateSegmentRouting::weightedSid)
            .add(1102, "peer-adjacency-sid", LinkStateSegmentRouting::weightedSid)
            .add(1103, "peer-set-sid", LinkStateSegmentRouting::weightedSid)
            .add(1106, "srv6-end.x-sid", LinkStateSegmentRouting::endXSid)
            .add(1107, "isis-srv6-lan-end.x-sid")
            .add(1108, "ospfv3-srv6-lan-end.x-sid")
            .add(1158, "prefix-sid", LinkStateSegmentRouting::prefixSid)
            .add(1159, "range")
            .add(SID_LABEL, "sid-label")
            .add(1162, "srv6-locator", LinkStateSegmentRouting::locator)
            .add(1170, "prefix-attribute-flags")
            .add(1171, "source-router-id", LinkStateValue::address)
            .add(1174, "source-ospf-router-id", LinkStateValue::address)
            .add(1250, "srv6-endpoint-behavior", 4, decoded(LinkStateSegmentRouting::behavior))
            .add(1251, "srv6-bgp-peer-node-sid", 12, decoded(LinkStateSegmentRouting::peerNode))
            .add(1252, "srv6-sid-structure", 4, decoded(Values::sidStructure));

    private LinkStateSegmentRouting() {}

    private static FixedFields decoded(FixedFields fields) {
        return (b, at, json) -> {
            json.writeObjectFieldStart(LinkStateValue.DECODED);
            fields.write(b, at, json);
            json.writeEndObject();
        };
    }

    private static boolean ranges(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        int at = from + 2;
        while (at < to && to - at >= 10 && BigEndian.u16(b, at + 3) == SID_LABEL && isSid(BigEndian.u16(b, at + 5))) {
            at += 7 + BigEndian.u16(b, at + 5);
        }
        if (at != to) {
            return false;
        }
        json.writeObjectFieldStart(LinkStateValue.DECODED);
        Values.flags(b, from, json);
        json.writeArrayFieldStart("ranges");
        for (at = from + 2; at < to; at += 7 + BigEndian.u16(b, at + 5)) {
            json.writeStartObject();
            json.writeNumberField("size", BigEndian.u24(b, at));
            sid(b, at + 7, BigEndian.u16(b, at + 5), json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        return true;
    }

    private static boolean weightedSid(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        return sid("weight", b, from, to, json);
    }

    private static boolean prefixSid(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        return sid("algorithm", b, from, to, json);
    }

    /** @param second name of the second byte */
    private static boolean sid(String second, byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (!isSid(to - from - 4)) {
            return false;
        }
        json.writeObjectFieldStart(LinkStateValue.DECODED);
        Values.flags(b, from, json);
        json.writeNumberField(second, BigEndian.u8(b, from + 1));
        sid(b, from + 4, to - from - 4, json);
        json.writeEndObject();
        return true;
    }

    private static boolean isSid(int length) {
        return length == 3 || length == 4;
    }

    private static void sid(byte[] b, int at, int length, JsonGenerator json) throws IOException {
        if (length == 3) {
            json.writeNumberField("label", BigEndian.u24(b, at) & 0xFFFFF);
        } else {
            json.writeNumberField("index", BigEndian.u32(b, at));
        }
    }

    private static boolean endXSid(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from < 22 || !TlvFormat.WIDE.fits(b, from + 22, to)) {
            return false;
        }
        json.writeObjectFieldStart(LinkStateValue.DECODED);
        behavior(b, from, json);
        json.writeNumberField("weight", BigEndian.u8(b, from + 4));
        json.writeStringField("sid", Values.ipv6(b, from + 6));
        json.writeEndObject();
        return true;
    }

    private static boolean locator(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from < 8 || !TlvFormat.WIDE.fits(b, from + 8, to)) {
            return false;
        }
        json.writeObjectFieldStart(LinkStateValue.DECODED);
        Values.flags(b, from, json);
        json.writeNumberField("algorithm", BigEndian.u8(b, from + 1));
        json.writeNumberField("metric", BigEndian.u32(b, from + 4));
        json.writeEndObject();
        return true;
    }

    private static void behavior(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeNumberField("behavior", BigEndian.u16(b, at));
        json.writeNumberField("flags", BigEndian.u8(b, at + 2));
        json.writeNumberField("algorithm", BigEndian.u8(b, at + 3));
    }

    private static void peerNode(byte[] b, int at, JsonGenerator json) throws IOException {
        Values.flags(b, at, json);
        json.writeNumberField("weight", BigEndian.u8(b, at + 1));
        json.writeNumberField("peer_asn", BigEndian.u32(b, at + 4));
        json.writeStringField("peer_bgp_id", Values.ipv4(b, at + 8));
    }
}
