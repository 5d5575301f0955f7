package dev.silkroute.bgp.open;

import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import dev.silkroute.net.JsonText;
import java.util.List;

/**
 * Writes a capability as {@code {"code", "name", "value": hex, fields…}}; a malformed one has no fields, but
 * {@code "malformed": true}.
 */
final class CapabilityJson {
    private static final List<String> ROLES =
            List.of("provider", "route-server", "route-server-client", "customer", "peer");

    private CapabilityJson() {}

    static void write(Capability capability, JsonText json) {
        json.begin()
                .field("code", capability.code())
                .field("name", capability.name())
                .field("value", capability.value().hex());
        if (capability.malformed()) {
            json.field("malformed", true);
        } else {
            fields(capability.code(), capability.value(), json);
        }
        json.end();
    }

    private static void fields(int code, Bytes value, JsonText json) {
        switch (code) {
            case Capability.MULTIPROTOCOL -> json.field("family", Family.text(Family.of(value.u16(0), value.u8(3))));
            case Capability.OUTBOUND_ROUTE_FILTERING -> filters(value, json);
            case Capability.EXTENDED_NEXT_HOP ->
                families(value, 6, 3, json, at -> json.field("next_hop_afi", value.u16(at + 4)));
            case Capability.BGPSEC ->
                json.field("version", value.u8(0) >>> 4)
                        .field("direction", (value.u8(0) & 0x08) == 0 ? "receive" : "send")
                        .field("afi", value.u16(1));
            case Capability.MULTIPLE_LABELS -> families(value, 4, 2, json, at -> json.field("count", value.u8(at + 3)));
            case Capability.BGP_ROLE -> role(value.u8(0), json);
            case Capability.GRACEFUL_RESTART -> gracefulRestart(value, json);
            case Capability.FOUR_OCTET_AS -> json.field("asn", Integer.toUnsignedLong(value.i32(0)));
            case Capability.ADD_PATH ->
                families(
                        value,
                        4,
                        2,
                        json,
                        at -> json.field(
                                "mode", AddPathMode.of(value.u8(at + 3)).text()));
            case Capability.LONG_LIVED_GRACEFUL_RESTART ->
                families(
                        value,
                        7,
                        2,
                        json,
                        at -> json.field("forwarding_preserved", (value.u8(at + 3) & 0x80) != 0)
                                .field("stale_time", value.u8(at + 4) << 16 | value.u16(at + 5)));
            case Capability.FQDN -> names(value, json);
            case Capability.SOFTWARE_VERSION -> json.field("version", text(value, 1, value.length()));
            case Capability.PATHS_LIMIT -> families(value, 5, 2, json, at -> json.field("limit", value.u16(at + 3)));
            default -> {}
        }
    }

    @FunctionalInterface
    private interface Entry {
        void write(int at);
    }

    /** Entries of this size, each beginning with an AFI; the SAFI is one byte at an offset of its own. */
    private static void families(Bytes value, int size, int safi, JsonText json, Entry entry) {
        entries(value, 0, size, safi, json, entry);
    }

    private static void entries(Bytes value, int from, int size, int safi, JsonText json, Entry entry) {
        json.name("families").beginArray();
        for (int at = from; at < value.length(); at += size) {
            json.begin().field("family", Family.text(Family.of(value.u16(at), value.u8(at + safi))));
            entry.write(at);
            json.end();
        }
        json.endArray();
    }

    /**
     * Flags 0x8000 restarted and 0x4000 notifications, seconds in the lower 12 bits (RFC 4724, Section 3; RFC 8538,
     * Section 2).
     */
    private static void gracefulRestart(Bytes value, JsonText json) {
        json.field("restarted", (value.u8(0) & 0x80) != 0)
                .field("notification", (value.u8(0) & 0x40) != 0)
                .field("restart_time", value.u16(0) & 0xFFF);
        entries(value, 2, 4, 2, json, at -> json.field("forwarding_preserved", (value.u8(at + 3) & 0x80) != 0));
    }

    /** RFC 9234, Section 4.1. */
    private static void role(int role, JsonText json) {
        json.field("role", role < ROLES.size() ? ROLES.get(role) : "role-" + role);
    }

    /** RFC 5291, Section 5. */
    private static void filters(Bytes value, JsonText json) {
        json.name("families").beginArray();
        for (int at = 0; at < value.length(); at += 5 + 2 * value.u8(at + 4)) {
            json.begin().field("family", Family.text(Family.of(value.u16(at), value.u8(at + 3))));
            json.name("filters").beginArray();
            for (int i = 0; i < value.u8(at + 4); i++) {
                json.begin()
                        .field("type", value.u8(at + 5 + 2 * i))
                        .field("mode", AddPathMode.of(value.u8(at + 6 + 2 * i)).text())
                        .end();
            }
            json.endArray().end();
        }
        json.endArray();
    }

    private static void names(Bytes value, JsonText json) {
        int domain = 1 + value.u8(0);
        json.field("host_name", text(value, 1, domain));
        if (domain < value.length()) {
            json.field("domain_name", text(value, domain + 1, value.length()));
        }
    }

    private static String text(Bytes value, int from, int to) {
        return Bytes.copyOf(value.toArray(), from, to).text();
    }
}
