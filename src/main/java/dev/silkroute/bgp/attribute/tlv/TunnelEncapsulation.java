package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import dev.silkroute.net.MacAddress;
import java.io.IOException;

/**
 * The Tunnel Encapsulation attribute (RFC 9012): tunnels by type, each with sub-TLVs. {@link SrPolicyTunnel} has those
 * of SR policies.
 *
 * <pre>
 *   1 encapsulation: vxlan, nvgre u8 flags (0x80 V, 0x40 M) | u24 VNI | MAC | u16 reserved; gre u32 key
 *   2 protocol type u16               7 DS field u8
 *   4 color, an extended community    8 UDP destination port u16
 *   5 load-balancing block u16        9 embedded label handling u8
 *   6 tunnel egress endpoint: u32 reserved | u16 address family, 0 for the next hop | address
 *  10 MPLS label stack: (u20 label | u3 traffic class | u1 bottom of stack | u8 TTL), any number
 * </pre>
 */
public final class TunnelEncapsulation {
    private static final TlvRegistry OVERLAY = subTlvs().add(1, "encapsulation", 12, TunnelEncapsulation::overlay);
    private static final TlvRegistry GRE =
            subTlvs().add(1, "encapsulation", 4, (b, at, json) -> json.writeNumberField("key", BigEndian.u32(b, at)));
    private static final TlvRegistry OTHER = subTlvs().add(1, "encapsulation");

    private TunnelEncapsulation() {}

    /** The sub-TLVs that do not depend on the type of the tunnel. */
    private static TlvRegistry subTlvs() {
        return new TlvRegistry(TlvFormat.TUNNEL_SUB)
                .addAll(SrPolicyTunnel.SUB_TLVS)
                .add(2, "protocol-type", 2, (b, at, json) -> json.writeNumberField("protocol", BigEndian.u16(b, at)))
                .add(3, "ipsec-tunnel-authenticator")
                .add(4, "color", 8, (b, at, json) -> json.writeNumberField("color", BigEndian.u32(b, at + 4)))
                .add(5, "load-balancing-block", 2, (b, at, json) -> json.writeNumberField("bits", BigEndian.u16(b, at)))
                .add(6, "tunnel-egress-endpoint", TunnelEncapsulation::endpoint)
                .add(7, "ds-field", 1, (b, at, json) -> json.writeNumberField("ds_field", BigEndian.u8(b, at)))
                .add(8, "udp-destination-port", 2, (b, at, json) -> json.writeNumberField("port", BigEndian.u16(b, at)))
                .add(
                        9,
                        "embedded-label-handling",
                        1,
                        (b, at, json) -> json.writeNumberField("mode", BigEndian.u8(b, at)))
                .add(10, "mpls-label-stack", TunnelEncapsulation::labels)
                .add(11, "prefix-sid");
    }

    /**
     * Returns whether there is at least one tunnel, and each ends where the last of its sub-TLVs ends. Unknown types
     * are permitted (RFC 9012, Section 13).
     */
    public static boolean fits(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            int end = TlvFormat.WIDE.end(b, at, to);
            if (end < 0 || !TlvFormat.TUNNEL_SUB.fits(b, at + 4, end)) {
                return false;
            }
            at = end;
        }
        return from < to;
    }

    /** Writes an attribute that fits as a JSON array. */
    public static void write(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        json.writeStartArray();
        int end;
        for (int at = from; at < to; at = end) {
            end = TlvFormat.WIDE.end(b, at, to);
            int type = BigEndian.u16(b, at);
            json.writeStartObject();
            json.writeNumberField("type", type);
            if (TunnelType.hasName(type)) {
                json.writeStringField("name", TunnelType.text(type));
            }
            json.writeStringField("value", Hex.of(b, at + 4, end));
            TlvRegistry subTlvs = switch (type) {
                case TunnelType.VXLAN, TunnelType.NVGRE -> OVERLAY;
                case TunnelType.GRE -> GRE;
                default -> OTHER;
            };
            subTlvs.writeNested("sub_tlvs", b, at + 4, end, json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void overlay(byte[] b, int at, JsonGenerator json) throws IOException {
        boolean hasVni = (b[at] & 0x80) != 0;
        boolean hasMac = (b[at] & 0x40) != 0;
        Values.flags(b, at, json);
        if (hasVni) {
            json.writeNumberField("vni", BigEndian.u24(b, at + 1));
        }
        if (hasMac) {
            json.writeStringField("mac", MacAddress.text(b, at + 4));
        }
    }

    private static boolean endpoint(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        int length = to - from - 6;
        if (length != 0 && length != 4 && length != 16) {
            return false;
        }
        json.writeNumberField("afi", BigEndian.u16(b, from + 4));
        if (length > 0) {
            json.writeStringField("address", Values.address(b, from + 6, to));
        }
        return true;
    }

    private static boolean labels(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if ((to - from) % 4 != 0) {
            return false;
        }
        json.writeArrayFieldStart("labels");
        for (int at = from; at < to; at += 4) {
            json.writeNumber(BigEndian.u24(b, at) >>> 4);
        }
        json.writeEndArray();
        return true;
    }
}
