package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.attribute.tlv.TlvRegistry.Fields;
import dev.silkroute.bgp.attribute.tlv.TlvRegistry.FixedFields;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import java.io.IOException;

/**
 * Sub-TLVs of SR policies in a Tunnel Encapsulation attribute (RFC 9830, Section 2.4; segments C to F of RFC 9831).
 *
 * <pre>
 *  12 preference:       u8 flags | u8 reserved | u32 preference
 *  13 binding SID:      u8 flags | u8 reserved | nothing, an MPLS label of 4 bytes, or a SID of 16
 *  14 ENLP:             u8 flags | u8 reserved | u8 explicit NULL label policy
 *  15 priority:         u8 priority | u8 reserved
 *  20 SRv6 binding SID: u8 flags | u8 reserved | SID | optional behavior and structure
 * 128 segment list:     u8 reserved | sub-TLVs: 9 weight, and segments
 * 129 candidate path name, 130 policy name: u8 reserved | string
 *
 * behavior and structure:
 *   u16 endpoint behavior | u16 reserved | u8 locator block, locator node, function, argument length
 * </pre>
 */
final class SrPolicyTunnel {
    private static final TlvRegistry SEGMENTS = new TlvRegistry(TlvFormat.NARROW)
            .add(1, "segment-a", 6, SrPolicyTunnel::mplsLabel)
            .add(3, "segment-c", withLabel(6, (b, at, json) -> node(b, at, Values.ipv4(b, at + 2), json)))
            .add(4, "segment-d", withLabel(18, (b, at, json) -> node(b, at, Values.ipv6(b, at + 2), json)))
            .add(5, "segment-e", withLabel(10, SrPolicyTunnel::ipv4Interface))
            .add(6, "segment-f", withLabel(10, SrPolicyTunnel::ipv4Adjacency))
            .add(7, "segment-g")
            .add(8, "segment-h")
            .add(9, "weight", 6, (b, at, json) -> {
                Values.flags(b, at, json);
                json.writeNumberField("weight", BigEndian.u32(b, at + 2));
            })
            .add(13, "segment-b", SrPolicyTunnel::srv6Sid)
            .add(14, "segment-i")
            .add(15, "segment-j")
            .add(16, "segment-k");

    static final TlvRegistry SUB_TLVS = new TlvRegistry(TlvFormat.TUNNEL_SUB)
            .add(12, "preference", 6, (b, at, json) -> {
                Values.flags(b, at, json);
                json.writeNumberField("preference", BigEndian.u32(b, at + 2));
            })
            .add(13, "binding-sid", SrPolicyTunnel::bindingSid)
            .add(14, "enlp", 3, (b, at, json) -> {
                Values.flags(b, at, json);
                json.writeNumberField("enlp", BigEndian.u8(b, at + 2));
            })
            .add(15, "priority", 2, (b, at, json) -> json.writeNumberField("priority", BigEndian.u8(b, at)))
            .add(20, "srv6-binding-sid", SrPolicyTunnel::srv6Sid)
            .add(
                    128,
                    "segment-list",
                    (b, from, to, json) -> to > from && SEGMENTS.writeNested("segments", b, from + 1, to, json))
            .add(129, "candidate-path-name", SrPolicyTunnel::text)
            .add(130, "policy-name", SrPolicyTunnel::text);

    private SrPolicyTunnel() {}

    private static boolean bindingSid(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        switch (to - from) {
            case 2 -> Values.flags(b, from, json);
            case 6 -> mplsLabel(b, from, json);
            case 18 -> srv6Sid(b, from, to, json);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean text(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from > 1) {
            json.writeStringField("text", Bytes.copyOf(b, from + 1, to).text());
        }
        return to - from > 1;
    }

    private static void mplsLabel(byte[] b, int at, JsonGenerator json) throws IOException {
        Values.flags(b, at, json);
        Values.label(b, at + 2, json);
    }

    private static boolean srv6Sid(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from != 18 && to - from != 26) {
            return false;
        }
        Values.flags(b, from, json);
        json.writeStringField("sid", Values.ipv6(b, from + 2));
        if (to - from == 26) {
            json.writeNumberField("behavior", BigEndian.u16(b, from + 18));
            Values.sidStructure(b, from + 22, json);
        }
        return true;
    }

    /** A segment that begins with {@code u8 flags} and has this length, or is followed by a label. */
    private static Fields withLabel(int length, FixedFields fields) {
        return (b, from, to, json) -> {
            if (to - from != length && to - from != length + 4) {
                return false;
            }
            Values.flags(b, from, json);
            fields.write(b, from, json);
            if (to - from > length) {
                Values.label(b, from + length, json);
            }
            return true;
        };
    }

    /** {@code u8 flags | u8 algorithm | address}. */
    private static void node(byte[] b, int at, String address, JsonGenerator json) throws IOException {
        json.writeNumberField("algorithm", BigEndian.u8(b, at + 1));
        json.writeStringField("address", address);
    }

    /** {@code u8 flags | u8 reserved | u32 interface | address}. */
    private static void ipv4Interface(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeNumberField("interface", BigEndian.u32(b, at + 2));
        json.writeStringField("address", Values.ipv4(b, at + 6));
    }

    /** {@code u8 flags | u8 reserved | local address | remote address}. */
    private static void ipv4Adjacency(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeStringField("address", Values.ipv4(b, at + 2));
        json.writeStringField("remote_address", Values.ipv4(b, at + 6));
    }
}
