package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.BigEndian;
import java.io.IOException;

/**
 * The BGP Prefix-SID attribute (RFC 8669, Section 3) with SRv6 services (RFC 9252).
 *
 * <pre>
 * 1 label index:     u8 reserved | u16 flags | u32 label index
 * 3 originator SRGB: u16 flags | (u24 first label | u24 number of labels), at least once
 * 5, 6 SRv6 L3 and L2 service: u8 reserved | sub-TLVs
 * </pre>
 */
public final class PrefixSid {
    private static final int LABEL_INDEX = 1;
    private static final int LABEL_INDEX_LENGTH = 7;
    private static final int ORIGINATOR_SRGB = 3;
    private static final int SRV6_L3_SERVICE = 5;
    private static final int SRV6_L2_SERVICE = 6;

    private static final TlvRegistry TLVS = new TlvRegistry(TlvFormat.NARROW_TYPE)
            .add(LABEL_INDEX, "label-index", LABEL_INDEX_LENGTH, PrefixSid::labelIndex)
            .add(2, "ipv6-sid")
            .add(ORIGINATOR_SRGB, "originator-srgb", PrefixSid::originatorSrgb)
            .add(4, "srv6-vpn-sid")
            .add(SRV6_L3_SERVICE, "srv6-l3-service", Srv6Service::write)
            .add(SRV6_L2_SERVICE, "srv6-l2-service", Srv6Service::write);

    private PrefixSid() {}

    /** The result of validation: the two malformed ones have different consequences. */
    public enum Validity {
        VALID,
        /** Discards the attribute (RFC 8669, Section 6). */
        MALFORMED,
        /** Withdraws the routes (RFC 9252, Section 7). */
        MALFORMED_SERVICE
    }

    /** Validates an attribute. A malformed SRv6 service takes precedence over other faults. */
    public static Validity check(byte[] b, int from, int to) {
        Validity validity = from < to ? Validity.VALID : Validity.MALFORMED;
        int at = from;
        while (at < to) {
            int type = b[at];
            boolean service = type == SRV6_L3_SERVICE || type == SRV6_L2_SERVICE;
            int end = TlvFormat.NARROW_TYPE.end(b, at, to);
            if (service && (end < 0 || !Srv6Service.fits(b, at + 3, end))) {
                return Validity.MALFORMED_SERVICE;
            }
            if (end < 0) {
                return Validity.MALFORMED;
            }
            int length = end - at - 3;
            if (type == LABEL_INDEX && length != LABEL_INDEX_LENGTH
                    || type == ORIGINATOR_SRGB && (length < 8 || (length - 2) % 6 != 0)) {
                validity = Validity.MALFORMED;
            }
            at = end;
        }
        return validity;
    }

    /** Writes a valid attribute as a JSON array. */
    public static void write(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        TLVS.write(b, from, to, json);
    }

    private static void labelIndex(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeNumberField("flags", BigEndian.u16(b, at + 1));
        json.writeNumberField("label_index", BigEndian.u32(b, at + 3));
    }

    private static boolean originatorSrgb(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        json.writeNumberField("flags", BigEndian.u16(b, from));
        json.writeArrayFieldStart("ranges");
        for (int at = from + 2; at < to; at += 6) {
            json.writeStartObject();
            json.writeNumberField("first", BigEndian.u24(b, at));
            json.writeNumberField("size", BigEndian.u24(b, at + 3));
            json.writeEndObject();
        }
        json.writeEndArray();
        return true;
    }
}
