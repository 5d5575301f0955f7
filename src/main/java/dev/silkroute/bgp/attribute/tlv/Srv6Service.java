package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.BigEndian;
import java.io.IOException;

/**
 * The value of an SRv6 service TLV (RFC 9252, Sections 2 and 3).
 *
 * <pre>
 * u8 reserved | sub-TLVs
 * sub-TLV 1, SID information:
 *   u8 reserved | SID, 16 bytes | u8 flags | u16 endpoint behavior | u8 reserved | sub-sub-TLVs
 * sub-sub-TLV 1, SID structure:
 *   u8 locator block, locator node, function, argument, transposition length | u8 transposition offset
 * </pre>
 */
final class Srv6Service {
    private static final int SID_INFORMATION = 1;
    private static final int SID_INFORMATION_LENGTH = 21;
    private static final int SID_STRUCTURE_LENGTH = 6;

    private static final TlvRegistry SUB_SUB_TLVS = new TlvRegistry(TlvFormat.NARROW_TYPE)
            .add(1, "srv6-sid-structure", SID_STRUCTURE_LENGTH, Srv6Service::sidStructure);
    private static final TlvRegistry SUB_TLVS = new TlvRegistry(TlvFormat.NARROW_TYPE)
            .add(SID_INFORMATION, "srv6-sid-information", Srv6Service::sidInformation);

    private Srv6Service() {}

    /** Validates the lengths of all three levels; unknown types and values are permitted (RFC 9252, Section 7). */
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

    static boolean write(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        return SUB_TLVS.writeNested("sub_tlvs", b, from + 1, to, json);
    }

    private static boolean sidInformation(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        int behavior = BigEndian.u16(b, from + 18);
        String name = EndpointBehavior.name(behavior);
        json.writeStringField("sid", Values.ipv6(b, from + 1));
        json.writeNumberField("flags", BigEndian.u8(b, from + 17));
        json.writeNumberField("behavior", behavior);
        if (!name.isEmpty()) {
            json.writeStringField("behavior_name", name);
        }
        return SUB_SUB_TLVS.writeNested("sub_tlvs", b, from + SID_INFORMATION_LENGTH, to, json);
    }

    private static void sidStructure(byte[] b, int at, JsonGenerator json) throws IOException {
        Values.sidStructure(b, at, json);
        json.writeNumberField("transposition_length", BigEndian.u8(b, at + 4));
        json.writeNumberField("transposition_offset", BigEndian.u8(b, at + 5));
    }
}
