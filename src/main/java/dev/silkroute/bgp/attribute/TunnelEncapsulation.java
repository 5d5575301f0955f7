package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;
import java.util.HashMap;
import java.util.Map;

/**
 * The Tunnel Encapsulation attribute (RFC 9012): tunnels by type, each with sub-TLVs. The ones of SR policies are
 * {@link SrPolicyTunnel}'s.
 *
 * <pre>
 *   1 encapsulation: vxlan, nvgre u8 flags (0x80 V, 0x40 M) | u24 VNI | MAC | u16 reserved; gre u32 key
 *   2 protocol type u16               7 DS field u8
 *   4 color, an extended community    8 UDP destination port u16
 *   5 load-balancing block u16        9 embedded label handling u8
 *   6 tunnel egress endpoint: u32 reserved | u16 address family, 0 for the next hop | address
 *  10 MPLS label stack: u32 label, traffic class, bottom of stack, TTL, again and again
 * </pre>
 */
final class TunnelEncapsulation {
    private static final Map<Integer, TlvKind> SUB_TLVS = new HashMap<>(SrPolicyTunnel.SUB_TLVS);

    static {
        SUB_TLVS.put(2, new TlvKind("protocol-type", (b, from, to, json) -> u16("protocol", b, from, to, json)));
        SUB_TLVS.put(3, TlvKind.named("ipsec-tunnel-authenticator"));
        SUB_TLVS.put(4, new TlvKind("color", TunnelEncapsulation::color));
        SUB_TLVS.put(5, new TlvKind("load-balancing-block", (b, from, to, json) -> u16("bits", b, from, to, json)));
        SUB_TLVS.put(6, new TlvKind("tunnel-egress-endpoint", TunnelEncapsulation::endpoint));
        SUB_TLVS.put(7, new TlvKind("ds-field", (b, from, to, json) -> u8("ds_field", b, from, to, json)));
        SUB_TLVS.put(8, new TlvKind("udp-destination-port", (b, from, to, json) -> u16("port", b, from, to, json)));
        SUB_TLVS.put(9, new TlvKind("embedded-label-handling", (b, from, to, json) -> u8("mode", b, from, to, json)));
        SUB_TLVS.put(10, new TlvKind("mpls-label-stack", TunnelEncapsulation::labels));
        SUB_TLVS.put(11, TlvKind.named("prefix-sid"));
    }

    private static final Map<Integer, TlvKind> OVERLAY =
            with(new TlvKind("encapsulation", TunnelEncapsulation::overlay));
    private static final Map<Integer, TlvKind> GRE = with(new TlvKind("encapsulation", TunnelEncapsulation::gre));
    private static final Map<Integer, TlvKind> OTHER = with(TlvKind.named("encapsulation"));

    private TunnelEncapsulation() {}

    private static Map<Integer, TlvKind> with(TlvKind encapsulation) {
        Map<Integer, TlvKind> kinds = new HashMap<>(SUB_TLVS);
        kinds.put(1, encapsulation);
        return Map.copyOf(kinds);
    }

    static void write(byte[] b, int from, int to, JsonText json) {
        json.beginArray();
        int end;
        for (int at = from; at < to; at = end) {
            end = TlvFormat.WIDE.end(b, at, to);
            int type = BigEndian.u16(b, at);
            json.begin().field("type", type);
            if (TunnelType.named(type)) {
                json.field("name", TunnelType.name(type));
            }
            json.field("value", Hex.of(b, at + 4, end));
            Map<Integer, TlvKind> kinds = switch (type) {
                case TunnelType.VXLAN, TunnelType.NVGRE -> OVERLAY;
                case TunnelType.GRE -> GRE;
                default -> OTHER;
            };
            TlvJson.nested("sub_tlvs", TlvFormat.TUNNEL_SUB, kinds, b, at + 4, end, json);
            json.end();
        }
        json.endArray();
    }

    private static boolean overlay(byte[] b, int from, int to, JsonText json) {
        if (to - from != 12) {
            return false;
        }
        boolean vni = (b[from] & 0x80) != 0;
        boolean mac = (b[from] & 0x40) != 0;
        json.field("flags", BigEndian.u8(b, from));
        if (vni) {
            json.field("vni", BigEndian.u24(b, from + 1));
        }
        if (mac) {
            json.field("mac", MacText.of(b, from + 4));
        }
        return true;
    }

    private static boolean gre(byte[] b, int from, int to, JsonText json) {
        if (to - from == 4) {
            json.field("key", BigEndian.u32(b, from));
        }
        return to - from == 4;
    }

    private static boolean color(byte[] b, int from, int to, JsonText json) {
        if (to - from == 8) {
            json.field("color", BigEndian.u32(b, from + 4));
        }
        return to - from == 8;
    }

    private static boolean endpoint(byte[] b, int from, int to, JsonText json) {
        int length = to - from - 6;
        if (length != 0 && length != 4 && length != 16) {
            return false;
        }
        json.field("afi", BigEndian.u16(b, from + 4));
        if (length == 4) {
            json.field("address", Addresses.ipv4(BigEndian.i32(b, from + 6)));
        } else if (length == 16) {
            json.field("address", Addresses.ipv6(BigEndian.i64(b, from + 6), BigEndian.i64(b, from + 14)));
        }
        return true;
    }

    private static boolean labels(byte[] b, int from, int to, JsonText json) {
        if ((to - from) % 4 != 0) {
            return false;
        }
        json.name("labels").beginArray();
        for (int at = from; at < to; at += 4) {
            json.value(BigEndian.u24(b, at) >>> 4);
        }
        json.endArray();
        return true;
    }

    private static boolean u8(String name, byte[] b, int from, int to, JsonText json) {
        if (to - from == 1) {
            json.field(name, BigEndian.u8(b, from));
        }
        return to - from == 1;
    }

    private static boolean u16(String name, byte[] b, int from, int to, JsonText json) {
        if (to - from == 2) {
            json.field(name, BigEndian.u16(b, from));
        }
        return to - from == 2;
    }
}
