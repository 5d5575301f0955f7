package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * The PMSI Tunnel attribute (RFC 6514, Section 5; IANA "P-Multicast Service Interface Tunnel Tunnel Types").
 *
 * <pre>
 * u8 flags (0x01 leaf information required) | u8 tunnel type | u24 label | identifier by tunnel type
 * </pre>
 */
final class PmsiTunnel {
    private static final int FIXED = 5;
    private static final int LEAF_INFORMATION_REQUIRED = 0x01;

    private PmsiTunnel() {}

    /** An unknown tunnel type is a value to us; a known one must have an identifier of its form. */
    static @Nullable AttributeFault check(byte[] b, int from, int to) {
        int length = to - from - FIXED;
        if (length < 0) {
            return AttributeFault.PMSI_TUNNEL;
        }
        boolean fits = switch (b[from + 1]) {
            case 1 -> length == 12 || length == 24;
            case 2, 7 -> isMldpFec(b, from + FIXED, to);
            case 3, 4, 5 -> length == 8 || length == 32;
            case 6 -> length == 4 || length == 16;
            default -> true;
        };
        return fits ? null : AttributeFault.PMSI_TUNNEL;
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

    static void write(byte[] b, int from, int to, JsonText json) {
        int type = BigEndian.u8(b, from + 1);
        String name = name(type);
        json.begin().field("flags", BigEndian.u8(b, from));
        json.field("leaf_information_required", (b[from] & LEAF_INFORMATION_REQUIRED) != 0);
        json.field("tunnel_type", type);
        if (!name.isEmpty()) {
            json.field("tunnel_type_name", name);
        }
        json.field("label", BigEndian.u24(b, from + 2) >>> 4)
                .field("label_raw", Hex.of(b, from + 2, from + FIXED))
                .field("identifier", Hex.of(b, from + FIXED, to));
        identifier(type, b, from + FIXED, to, json);
        json.end();
    }

    private static void identifier(int type, byte[] b, int at, int to, JsonText json) {
        switch (type) {
            case 1 ->
                json.field("extended_tunnel_id", address(b, at, to - 8))
                        .field("tunnel_id", BigEndian.u16(b, to - 6))
                        .field("p2mp_id", BigEndian.u32(b, to - 4));
            case 2, 7 -> {
                int root = BigEndian.u8(b, at + 3);
                if (root == 4 || root == 16) {
                    json.field("root", address(b, at + 4, at + 4 + root));
                }
                json.field("opaque", Hex.of(b, at + 6 + root, to));
            }
            case 3, 4, 5 -> {
                int middle = at + (to - at) / 2;
                json.field("sender", address(b, at, middle)).field("group", address(b, middle, to));
            }
            case 6 -> json.field("endpoint", address(b, at, to));
            default -> {}
        }
    }

    private static String address(byte[] b, int from, int to) {
        return to - from == 4
                ? Addresses.ipv4(BigEndian.i32(b, from))
                : Addresses.ipv6(BigEndian.i64(b, from), BigEndian.i64(b, from + 8));
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
