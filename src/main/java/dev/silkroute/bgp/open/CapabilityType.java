package dev.silkroute.bgp.open;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities that have a name (IANA "Capability Codes"). One constant is all there is to a capability: its code
 * and name, the form that its value must have, and its fields in JSON. {@code X*} in a form is X any number of times.
 */
enum CapabilityType {
    /** RFC 4760, Section 8: {@code u16 AFI | u8 reserved | u8 SAFI}. */
    MULTIPROTOCOL(Capability.MULTIPROTOCOL, "multiprotocol", length(4), (value, json) -> family(value, 0, 3, json)),
    /** RFC 2918. */
    ROUTE_REFRESH(Capability.ROUTE_REFRESH, "route-refresh"),
    /**
     * RFC 5291, Section 5: {@code (u16 AFI | u8 reserved | u8 SAFI | u8 n | (u8 type | u8 send and receive) n times)*}.
     */
    OUTBOUND_ROUTE_FILTERING(3, "outbound-route-filtering", CapabilityType::isFilterList, CapabilityType::filters),
    MULTIPLE_ROUTES(4, "multiple-routes-to-a-destination"),
    /** RFC 8950, Section 4: {@code (u16 AFI | u16 SAFI | u16 next-hop AFI)*}. */
    EXTENDED_NEXT_HOP(
            Capability.EXTENDED_NEXT_HOP,
            "extended-next-hop",
            lengths(length -> length % 6 == 0),
            families(0, 6, 3, (value, at, json) -> json.writeNumberField("next_hop_afi", value.u16(at + 4)))),
    /** RFC 8654. */
    EXTENDED_MESSAGE(Capability.EXTENDED_MESSAGE, "extended-message"),
    /** RFC 8205, Section 2.1: {@code u4 version | u1 direction | u3 reserved | u16 AFI}. */
    BGPSEC(7, "bgpsec", length(3), CapabilityType::bgpsec),
    /** RFC 8277, Section 2.1: {@code (u16 AFI | u8 SAFI | u8 count)*}. */
    MULTIPLE_LABELS(
            Capability.MULTIPLE_LABELS,
            "multiple-labels",
            lengths(length -> length % 4 == 0),
            families(0, 4, 2, (value, at, json) -> json.writeNumberField("count", value.u8(at + 3)))),
    /** RFC 9234, Section 4.1: {@code u8 role}. */
    BGP_ROLE(Capability.BGP_ROLE, "bgp-role", length(1), CapabilityType::role),
    /** RFC 4724, Section 3: {@code u4 flags | u12 seconds | (u16 AFI | u8 SAFI | u8 flags)*}. */
    GRACEFUL_RESTART(
            Capability.GRACEFUL_RESTART,
            "graceful-restart",
            lengths(length -> length % 4 == 2),
            CapabilityType::gracefulRestart),
    /** RFC 6793, Section 3: {@code u32 AS number}. */
    FOUR_OCTET_AS(
            Capability.FOUR_OCTET_AS,
            "four-octet-as",
            length(4),
            (value, json) -> json.writeNumberField("asn", Integer.toUnsignedLong(value.i32(0)))),
    DYNAMIC_CAPABILITY_OLD(66, "dynamic-capability-old"),
    DYNAMIC_CAPABILITY(67, "dynamic-capability"),
    MULTISESSION(68, "multisession"),
    /** RFC 7911, Section 4: {@code (u16 AFI | u8 SAFI | u8 mode)*}. */
    ADD_PATH(
            Capability.ADD_PATH,
            "add-path",
            lengths(length -> length % 4 == 0),
            families(0, 4, 2, (value, at, json) -> mode(value.u8(at + 3), json))),
    /** RFC 7313. */
    ENHANCED_ROUTE_REFRESH(Capability.ENHANCED_ROUTE_REFRESH, "enhanced-route-refresh"),
    /** RFC 9494, Section 3.1: {@code (u16 AFI | u8 SAFI | u8 flags | u24 seconds)*}. */
    LONG_LIVED_GRACEFUL_RESTART(
            Capability.LONG_LIVED_GRACEFUL_RESTART,
            "long-lived-graceful-restart",
            lengths(length -> length % 7 == 0),
            families(0, 7, 2, CapabilityType::longLivedGracefulRestart)),
    ROUTING_POLICY_DISTRIBUTION(72, "routing-policy-distribution"),
    /** draft-walton-bgp-hostname-capability: {@code u8 length | host name | u8 length | domain name}. */
    FQDN(Capability.FQDN, "fqdn", CapabilityType::isNames, CapabilityType::names),
    BFD(74, "bfd"),
    /** draft-ietf-idr-bgp-sw-version: {@code u8 length | string}. */
    SOFTWARE_VERSION(
            75,
            "software-version",
            value -> value.length() >= 1 && value.u8(0) == value.length() - 1,
            (value, json) -> json.writeStringField("version", text(value, 1, value.length()))),
    /** draft-ietf-idr-paths-limit: {@code (u16 AFI | u8 SAFI | u16 limit)*}. */
    PATHS_LIMIT(
            76,
            "paths-limit",
            lengths(length -> length % 5 == 0),
            families(0, 5, 2, (value, at, json) -> json.writeNumberField("limit", value.u16(at + 3)))),
    LINK_LOCAL_NEXT_HOP(77, "link-local-next-hop"),
    ROUTE_REFRESH_OLD(128, "route-refresh-old"),
    OUTBOUND_ROUTE_FILTERING_OLD_129(129, "outbound-route-filtering-old-129"),
    OUTBOUND_ROUTE_FILTERING_OLD_130(130, "outbound-route-filtering-old-130"),
    MULTISESSION_OLD(131, "multisession-old"),
    FQDN_OLD(184, "fqdn-old"),
    OPERATIONAL_MESSAGE_OLD(185, "operational-message-old");

    /** Writes the fields of a well-formed value into an open JSON object. */
    @FunctionalInterface
    private interface Fields {
        void write(Bytes value, JsonGenerator json) throws IOException;
    }

    /** Writes the fields of the list entry at an offset. */
    @FunctionalInterface
    private interface EntryFields {
        void write(Bytes value, int at, JsonGenerator json) throws IOException;
    }

    /** Indexed by code (RFC 9234, Section 4.1). */
    private static final List<String> ROLES =
            List.of("provider", "route-server", "route-server-client", "customer", "peer");

    private static final Map<Integer, CapabilityType> BY_CODE = new HashMap<>();

    static {
        for (CapabilityType type : values()) {
            BY_CODE.put(type.code, type);
        }
    }

    private final int code;
    private final String label;
    private final Predicate<Bytes> form;
    private final Fields fields;

    CapabilityType(int code, String label) {
        this(code, label, value -> true, (value, json) -> {});
    }

    CapabilityType(int code, String label, Predicate<Bytes> form, Fields fields) {
        this.code = code;
        this.label = label;
        this.form = form;
        this.fields = fields;
    }

    private static @Nullable CapabilityType of(int code) {
        return BY_CODE.get(code);
    }

    /** Returns the name of a code, {@code capability-N} without one. */
    static String label(int code) {
        CapabilityType type = of(code);
        return type == null ? "capability-" + code : type.label;
    }

    /** Returns whether a value has the form of its code; values of unknown codes may have any. */
    static boolean fits(int code, Bytes value) {
        CapabilityType type = of(code);
        return type == null || type.form.test(value);
    }

    /**
     * Writes a capability as {@code {"code", "name", "value": hex, fields…}}. A malformed one has
     * {@code "malformed": true} instead of fields.
     */
    static void write(Capability capability, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("code", capability.code());
        json.writeStringField("name", capability.name());
        json.writeStringField("value", capability.value().hex());
        CapabilityType type = of(capability.code());
        if (capability.malformed()) {
            json.writeBooleanField("malformed", true);
        } else if (type != null) {
            type.fields.write(capability.value(), json);
        }
        json.writeEndObject();
    }

    private static Predicate<Bytes> length(int bytes) {
        return value -> value.length() == bytes;
    }

    private static Predicate<Bytes> lengths(IntPredicate lengths) {
        return value -> lengths.test(value.length());
    }

    private static boolean isFilterList(Bytes value) {
        int at = 0;
        while (value.length() - at >= 5) {
            at += 5 + 2 * value.u8(at + 4);
        }
        return at == value.length();
    }

    /** Some senders omit the domain name with its length. */
    private static boolean isNames(Bytes value) {
        if (value.isEmpty()) {
            return false;
        }
        int domain = 1 + value.u8(0);
        return domain == value.length() || domain < value.length() && domain + 1 + value.u8(domain) == value.length();
    }

    /** Entries of this size, each beginning with an AFI; the SAFI is one byte at an offset in the entry. */
    private static Fields families(int from, int size, int safi, EntryFields fields) {
        return (value, json) -> {
            json.writeArrayFieldStart("families");
            for (int at = from; at < value.length(); at += size) {
                json.writeStartObject();
                family(value, at, at + safi, json);
                fields.write(value, at, json);
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    private static void family(Bytes value, int afi, int safi, JsonGenerator json) throws IOException {
        json.writeStringField("family", Family.text(Family.of(value.u16(afi), value.u8(safi))));
    }

    private static void mode(int mode, JsonGenerator json) throws IOException {
        json.writeStringField("mode", AddPathMode.of(mode).text());
    }

    private static void filters(Bytes value, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("families");
        for (int at = 0; at < value.length(); at += 5 + 2 * value.u8(at + 4)) {
            json.writeStartObject();
            family(value, at, at + 3, json);
            json.writeArrayFieldStart("filters");
            for (int i = 0; i < value.u8(at + 4); i++) {
                json.writeStartObject();
                json.writeNumberField("type", value.u8(at + 5 + 2 * i));
                mode(value.u8(at + 6 + 2 * i), json);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void bgpsec(Bytes value, JsonGenerator json) throws IOException {
        json.writeNumberField("version", value.u8(0) >>> 4);
        json.writeStringField("direction", (value.u8(0) & 0x08) == 0 ? "receive" : "send");
        json.writeNumberField("afi", value.u16(1));
    }

    private static void role(Bytes value, JsonGenerator json) throws IOException {
        int role = value.u8(0);
        json.writeStringField("role", role < ROLES.size() ? ROLES.get(role) : "role-" + role);
    }

    /** Flags 0x8000 restarted (RFC 4724, Section 3) and 0x4000 notifications (RFC 8538, Section 2). */
    private static void gracefulRestart(Bytes value, JsonGenerator json) throws IOException {
        json.writeBooleanField("restarted", (value.u8(0) & 0x80) != 0);
        json.writeBooleanField("notification", (value.u8(0) & 0x40) != 0);
        json.writeNumberField("restart_time", value.u16(0) & 0xFFF);
        families(2, 4, 2, CapabilityType::forwardingPreserved).write(value, json);
    }

    private static void forwardingPreserved(Bytes value, int at, JsonGenerator json) throws IOException {
        json.writeBooleanField("forwarding_preserved", (value.u8(at + 3) & 0x80) != 0);
    }

    private static void longLivedGracefulRestart(Bytes value, int at, JsonGenerator json) throws IOException {
        forwardingPreserved(value, at, json);
        json.writeNumberField("stale_time", value.u8(at + 4) << 16 | value.u16(at + 5));
    }

    private static void names(Bytes value, JsonGenerator json) throws IOException {
        int domain = 1 + value.u8(0);
        json.writeStringField("host_name", text(value, 1, domain));
        if (domain < value.length()) {
            json.writeStringField("domain_name", text(value, domain + 1, value.length()));
        }
    }

    private static String text(Bytes value, int from, int to) {
        return Bytes.copyOf(value.toArray(), from, to).text();
    }
}
