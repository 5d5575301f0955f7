package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import java.io.IOException;

/**
 * The PMSI Tunnel attribute (RFC 6514, Section 5; IANA "P-Multicast Service Interface Tunnel Tunnel Types").
 *
 * <pre>
 * u8 flags (0x01 leaf information required) | u8 tunnel type | u24 label | identifier by tunnel type
 * </pre>
 */
public final class PmsiTunnel {
    private static final int FIXED = 5;
    private static final int LEAF_INFORMATION_REQUIRED = 0x01;

    private PmsiTunnel() {}

    /** Returns whether the identifier has the form of its tunnel type; unknown tunnel types are permitted. */
    public static boolean fits(byte[] b, int from, int to) {
        int length = to - from - FIXED;
        return length >= 0
                && switch (b[from + 1]) {
                    case 1 -> length == 12 || length == 24;
                    case 2, 7 -> isMldpFec(b, from + FIXED, to);
                    case 3, 4, 5 -> length == 8 || length == 32;
                    case 6 -> length == 4 || length == 16;
                    default -> true;
                };
    }

    /**
     * {@code u8 FEC type | u16 address family | u8 address length | root | u16 opaque length | opaque} (RFC 6388,
     * Section 2.2).
     */
    private static boolean isMldpFec(byte[] b, int from, int to) {
        if (to - from < 4) {
            return false;
        }
        int opaque = from + 4 + BigEndian.u8(b, from + 3);
        return to - opaque >= 2 && opaque + 2 + BigEndian.u16(b, opaque) == to;
    }

    /** Writes an attribute that fits as a JSON object. */
    public static void write(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        int type = BigEndian.u8(b, from + 1);
        String name = name(type);
        json.writeStartObject();
        Values.flags(b, from, json);
        json.writeBooleanField("leaf_information_required", (b[from] & LEAF_INFORMATION_REQUIRED) != 0);
        json.writeNumberField("tunnel_type", type);
        if (!name.isEmpty()) {
            json.writeStringField("tunnel_type_name", name);
        }
        json.writeNumberField("label", BigEndian.u24(b, from + 2) >>> 4);
        json.writeStringField("label_raw", Hex.of(b, from + 2, from + FIXED));
        json.writeStringField("identifier", Hex.of(b, from + FIXED, to));
        identifier(type, b, from + FIXED, to, json);
        json.writeEndObject();
    }

    private static void identifier(int type, byte[] b, int at, int to, JsonGenerator json) throws IOException {
        switch (type) {
            case 1 -> {
                json.writeStringField("extended_tunnel_id", Values.address(b, at, to - 8));
                json.writeNumberField("tunnel_id", BigEndian.u16(b, to - 6));
                json.writeNumberField("p2mp_id", BigEndian.u32(b, to - 4));
            }
            case 2, 7 -> {
                int root = BigEndian.u8(b, at + 3);
                if (root == 4 || root == 16) {
                    json.writeStringField("root", Values.address(b, at + 4, at + 4 + root));
                }
                json.writeStringField("opaque", Hex.of(b, at + 6 + root, to));
            }
            case 3, 4, 5 -> {
                int middle = at + (to - at) / 2;
                json.writeStringField("sender", Values.address(b, at, middle));
                json.writeStringField("group", Values.address(b, middle, to));
            }
            case 6 -> json.writeStringField("endpoint", Values.address(b, at, to));
            default -> {}
        }
    }

    private static String name(int type) {
        return switch (type) {
            case 0 -> "none";
            case 1 -> "rsvp-te-p2mp";
            case 2 -> "mldp-p2mp";
            case 3 -> "pim-ssm";
            case 4 -> "pim-sm";
            case 5 -> "bidir-pim";
            case 6 -> "ingress-replication";
            case 7 -> "mldp-mp2mp";
            case 8 -> "transport-tunnel";
            case 10 -> "assisted-replication";
            case 11 -> "bier";
            case 12 -> "sr-mpls-p2mp";
            case 13 -> "srv6-p2mp";
            default -> "";
        };
    }
}
