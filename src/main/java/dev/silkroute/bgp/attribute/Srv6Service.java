package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.JsonText;
import java.util.Map;

/**
 * The value of an SRv6 service TLV (RFC 9252, Sections 2 and 3).
 *
 * <pre>
 * u8 reserved | sub-TLVs
 * sub-TLV 1, SID information:    u8 reserved | SID, 16 bytes | u8 flags | u16 endpoint behavior | u8 reserved | sub-sub-TLVs
 * sub-sub-TLV 1, SID structure:  u8 locator block, locator node, function, argument, transposition length, transposition offset
 * </pre>
 */
final class Srv6Service {
    private static final int SID_INFORMATION = 1;
    private static final int SID_INFORMATION_LENGTH = 21;
    private static final int SID_STRUCTURE_LENGTH = 6;

    private static final Map<Integer, TlvKind> SUB_TLVS =
            Map.of(SID_INFORMATION, new TlvKind("srv6-sid-information", Srv6Service::sidInformation));
    private static final Map<Integer, TlvKind> SUB_SUB_TLVS =
            Map.of(1, new TlvKind("srv6-sid-structure", Srv6Service::sidStructure));

    private Srv6Service() {}

    /** Lengths of all three levels; what types and fields say is no matter of form (RFC 9252, Section 7). */
    static boolean fits(byte[] b, int from, int to) {
        if (to - from < 1) {
            return false;
        }
        int at = from + 1;
        while (at < to) {
            int end = TlvFormat.NARROW_TYPE.end(b, at, to);
            if (end < 0) {
                return false;
            }
            int inner = at + 3 + SID_INFORMATION_LENGTH;
            if (b[at] == SID_INFORMATION && (inner > end || !TlvFormat.NARROW_TYPE.fits(b, inner, end))) {
                return false;
            }
            at = end;
        }
        return true;
    }

    static boolean write(byte[] b, int from, int to, JsonText json) {
        return TlvJson.nested("sub_tlvs", TlvFormat.NARROW_TYPE, SUB_TLVS, b, from + 1, to, json);
    }

    private static boolean sidInformation(byte[] b, int from, int to, JsonText json) {
        int behavior = BigEndian.u16(b, from + 18);
        String name = EndpointBehavior.name(behavior);
        json.field("sid", Addresses.ipv6(BigEndian.i64(b, from + 1), BigEndian.i64(b, from + 9)))
                .field("flags", BigEndian.u8(b, from + 17))
                .field("behavior", behavior);
        if (!name.isEmpty()) {
            json.field("behavior_name", name);
        }
        return TlvJson.nested(
                "sub_tlvs", TlvFormat.NARROW_TYPE, SUB_SUB_TLVS, b, from + SID_INFORMATION_LENGTH, to, json);
    }

    private static boolean sidStructure(byte[] b, int from, int to, JsonText json) {
        if (to - from != SID_STRUCTURE_LENGTH) {
            return false;
        }
        json.field("locator_block_length", BigEndian.u8(b, from))
                .field("locator_node_length", BigEndian.u8(b, from + 1))
                .field("function_length", BigEndian.u8(b, from + 2))
                .field("argument_length", BigEndian.u8(b, from + 3))
                .field("transposition_length", BigEndian.u8(b, from + 4))
                .field("transposition_offset", BigEndian.u8(b, from + 5));
        return true;
    }
}
