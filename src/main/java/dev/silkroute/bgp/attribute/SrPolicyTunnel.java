package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.JsonText;
import java.util.Map;

/**
 * Sub-TLVs of SR policies in a Tunnel Encapsulation attribute (RFC 9830, Section 2.4; segments C to F of RFC 9831).
 *
 * <pre>
 *  12 preference:      u8 flags | u8 reserved | u32 preference
 *  13 binding SID:     u8 flags | u8 reserved | nothing, an MPLS label of 4 bytes, or a SID of 16
 *  14 ENLP:            u8 flags | u8 reserved | u8 explicit NULL label policy
 *  15 priority:        u8 priority | u8 reserved
 *  20 SRv6 binding SID: u8 flags | u8 reserved | SID | optional behavior and structure
 * 128 segment list:    u8 reserved | sub-TLVs: 9 weight, and segments
 * 129 candidate path name, 130 policy name: u8 reserved | text
 *
 * behavior and structure: u16 endpoint behavior | u16 reserved | u8 locator block, locator node, function, argument length
 * </pre>
 */
final class SrPolicyTunnel {
    static final Map<Integer, TlvKind> SUB_TLVS = Map.of(
            12,
            new TlvKind("preference", SrPolicyTunnel::preference),
            13,
            new TlvKind("binding-sid", SrPolicyTunnel::bindingSid),
            14,
            new TlvKind("enlp", SrPolicyTunnel::enlp),
            15,
            new TlvKind("priority", SrPolicyTunnel::priority),
            20,
            new TlvKind("srv6-binding-sid", SrPolicyTunnel::srv6Sid),
            128,
            new TlvKind("segment-list", SrPolicyTunnel::segmentList),
            129,
            new TlvKind("candidate-path-name", SrPolicyTunnel::text),
            130,
            new TlvKind("policy-name", SrPolicyTunnel::text));

    private static final Map<Integer, TlvKind> SEGMENTS = Map.ofEntries(
            Map.entry(1, new TlvKind("segment-a", SrPolicyTunnel::label)),
            Map.entry(3, new TlvKind("segment-c", SrPolicyTunnel::ipv4Node)),
            Map.entry(4, new TlvKind("segment-d", SrPolicyTunnel::ipv6Node)),
            Map.entry(5, new TlvKind("segment-e", SrPolicyTunnel::ipv4Interface)),
            Map.entry(6, new TlvKind("segment-f", SrPolicyTunnel::ipv4Adjacency)),
            Map.entry(7, TlvKind.named("segment-g")),
            Map.entry(8, TlvKind.named("segment-h")),
            Map.entry(9, new TlvKind("weight", SrPolicyTunnel::weight)),
            Map.entry(13, new TlvKind("segment-b", SrPolicyTunnel::srv6Sid)),
            Map.entry(14, TlvKind.named("segment-i")),
            Map.entry(15, TlvKind.named("segment-j")),
            Map.entry(16, TlvKind.named("segment-k")));

    private SrPolicyTunnel() {}

    private static boolean preference(byte[] b, int from, int to, JsonText json) {
        if (to - from == 6) {
            flags(b, from, json).field("preference", BigEndian.u32(b, from + 2));
        }
        return to - from == 6;
    }

    private static boolean bindingSid(byte[] b, int from, int to, JsonText json) {
        switch (to - from) {
            case 2 -> flags(b, from, json);
            case 6 -> label(b, from, to, json);
            case 18 -> srv6Sid(b, from, to, json);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean enlp(byte[] b, int from, int to, JsonText json) {
        if (to - from == 3) {
            flags(b, from, json).field("enlp", BigEndian.u8(b, from + 2));
        }
        return to - from == 3;
    }

    private static boolean priority(byte[] b, int from, int to, JsonText json) {
        if (to - from == 2) {
            json.field("priority", BigEndian.u8(b, from));
        }
        return to - from == 2;
    }

    private static boolean text(byte[] b, int from, int to, JsonText json) {
        if (to - from > 1) {
            json.field("text", Bytes.copyOf(b, from + 1, to).text());
        }
        return to - from > 1;
    }

    private static boolean segmentList(byte[] b, int from, int to, JsonText json) {
        return to > from && TlvJson.nested("segments", TlvFormat.NARROW, SEGMENTS, b, from + 1, to, json);
    }

    private static boolean weight(byte[] b, int from, int to, JsonText json) {
        if (to - from == 6) {
            flags(b, from, json).field("weight", BigEndian.u32(b, from + 2));
        }
        return to - from == 6;
    }

    private static boolean label(byte[] b, int from, int to, JsonText json) {
        if (to - from == 6) {
            flags(b, from, json);
            label(b, from + 2, json);
        }
        return to - from == 6;
    }

    private static boolean srv6Sid(byte[] b, int from, int to, JsonText json) {
        if (to - from != 18 && to - from != 26) {
            return false;
        }
        flags(b, from, json).field("sid", ipv6(b, from + 2));
        if (to - from == 26) {
            json.field("behavior", BigEndian.u16(b, from + 18))
                    .field("locator_block_length", BigEndian.u8(b, from + 22))
                    .field("locator_node_length", BigEndian.u8(b, from + 23))
                    .field("function_length", BigEndian.u8(b, from + 24))
                    .field("argument_length", BigEndian.u8(b, from + 25));
        }
        return true;
    }

    /** {@code u8 flags | u8 algorithm | address | optional label}. */
    private static boolean ipv4Node(byte[] b, int from, int to, JsonText json) {
        if (to - from != 6 && to - from != 10) {
            return false;
        }
        flags(b, from, json).field("algorithm", BigEndian.u8(b, from + 1)).field("address", ipv4(b, from + 2));
        optionalLabel(b, from + 6, to, json);
        return true;
    }

    private static boolean ipv6Node(byte[] b, int from, int to, JsonText json) {
        if (to - from != 18 && to - from != 22) {
            return false;
        }
        flags(b, from, json).field("algorithm", BigEndian.u8(b, from + 1)).field("address", ipv6(b, from + 2));
        optionalLabel(b, from + 18, to, json);
        return true;
    }

    /** {@code u8 flags | u8 reserved | u32 interface | address | optional label}. */
    private static boolean ipv4Interface(byte[] b, int from, int to, JsonText json) {
        if (to - from != 10 && to - from != 14) {
            return false;
        }
        flags(b, from, json).field("interface", BigEndian.u32(b, from + 2)).field("address", ipv4(b, from + 6));
        optionalLabel(b, from + 10, to, json);
        return true;
    }

    /** {@code u8 flags | u8 reserved | local address | remote address | optional label}. */
    private static boolean ipv4Adjacency(byte[] b, int from, int to, JsonText json) {
        if (to - from != 10 && to - from != 14) {
            return false;
        }
        flags(b, from, json).field("address", ipv4(b, from + 2)).field("remote_address", ipv4(b, from + 6));
        optionalLabel(b, from + 10, to, json);
        return true;
    }

    private static void optionalLabel(byte[] b, int at, int to, JsonText json) {
        if (at < to) {
            label(b, at, json);
        }
    }

    /** {@code label, 20 bits | traffic class, 3 bits | bottom of stack | TTL}. */
    private static void label(byte[] b, int at, JsonText json) {
        json.field("label", BigEndian.u24(b, at) >>> 4);
    }

    private static JsonText flags(byte[] b, int at, JsonText json) {
        return json.field("flags", BigEndian.u8(b, at));
    }

    private static String ipv4(byte[] b, int at) {
        return Addresses.ipv4(BigEndian.i32(b, at));
    }

    private static String ipv6(byte[] b, int at) {
        return Addresses.ipv6(BigEndian.i64(b, at), BigEndian.i64(b, at + 8));
    }
}
