package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.JsonText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The BGP Prefix-SID attribute (RFC 8669, Section 3) with SRv6 services (RFC 9252).
 *
 * <pre>
 * 1 label index:     u8 reserved | u16 flags | u32 label index
 * 3 originator SRGB: u16 flags | (u24 first label | u24 number of labels), at least once
 * 5, 6 SRv6 L3 and L2 service: u8 reserved | sub-TLVs
 * </pre>
 */
final class PrefixSid {
    private static final int LABEL_INDEX = 1;
    private static final int ORIGINATOR_SRGB = 3;
    private static final int SRV6_L3_SERVICE = 5;
    private static final int SRV6_L2_SERVICE = 6;

    private static final Map<Integer, TlvKind> KINDS = Map.of(
            LABEL_INDEX,
            new TlvKind("label-index", PrefixSid::labelIndex),
            2,
            TlvKind.named("ipv6-sid"),
            ORIGINATOR_SRGB,
            new TlvKind("originator-srgb", PrefixSid::originatorSrgb),
            4,
            TlvKind.named("srv6-vpn-sid"),
            SRV6_L3_SERVICE,
            new TlvKind("srv6-l3-service", Srv6Service::write),
            SRV6_L2_SERVICE,
            new TlvKind("srv6-l2-service", Srv6Service::write));

    private PrefixSid() {}

    /**
     * A malformed SRv6 service TLV withdraws the routes (RFC 9252, Section 7); all other errors cost the attribute
     * only.
     */
    static @Nullable AttributeFault check(byte[] b, int from, int to) {
        AttributeFault fault = from < to ? null : AttributeFault.PREFIX_SID;
        int at = from;
        while (at < to) {
            int type = b[at];
            boolean service = type == SRV6_L3_SERVICE || type == SRV6_L2_SERVICE;
            int end = TlvFormat.NARROW_TYPE.end(b, at, to);
            if (service && (end < 0 || !Srv6Service.fits(b, at + 3, end))) {
                return AttributeFault.SRV6_SERVICE;
            }
            if (end < 0) {
                return AttributeFault.PREFIX_SID;
            }
            int length = end - at - 3;
            if (type == LABEL_INDEX && length != 7
                    || type == ORIGINATOR_SRGB && (length < 8 || (length - 2) % 6 != 0)) {
                fault = AttributeFault.PREFIX_SID;
            }
            at = end;
        }
        return fault;
    }

    static void write(byte[] b, int from, int to, JsonText json) {
        TlvJson.attribute(TlvFormat.NARROW_TYPE, KINDS, b, from, to, json);
    }

    private static boolean labelIndex(byte[] b, int from, int to, JsonText json) {
        json.field("flags", BigEndian.u16(b, from + 1)).field("label_index", BigEndian.u32(b, from + 3));
        return true;
    }

    private static boolean originatorSrgb(byte[] b, int from, int to, JsonText json) {
        json.field("flags", BigEndian.u16(b, from)).name("ranges").beginArray();
        for (int at = from + 2; at < to; at += 6) {
            json.begin()
                    .field("first", BigEndian.u24(b, at))
                    .field("size", BigEndian.u24(b, at + 3))
                    .end();
        }
        json.endArray();
        return true;
    }
}
