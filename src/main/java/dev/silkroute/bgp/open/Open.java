package dev.silkroute.bgp.open;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An OPEN message (RFC 4271, Section 4.2) and its capabilities. Immutable.
 *
 * @param twoOctetAsn My Autonomous System of the header; 23456 if the AS number needs four octets
 * @param asn unsigned; from the four-octet AS capability if there is one
 * @param holdTime seconds
 * @param capabilities in the order of the message, including repeated and malformed ones
 * @param parameters optional parameters other than capabilities
 * @param raw the whole message
 */
public record Open(
        int version,
        int twoOctetAsn,
        int asn,
        int holdTime,
        int bgpId,
        List<Capability> capabilities,
        List<OptionalParameter> parameters,
        Bytes raw) {
    private static final String PARAMETERS = "RFC 5492, Section 4";
    private static final int HEADER = 19;
    private static final int FIXED = 10;
    private static final int TYPE_OPEN = 1;
    private static final int CAPABILITIES = 2;
    private static final int EXTENDED = 255;

    /**
     * Decodes the OPEN that begins at {@code from}; the length in its header determines its end. A malformed capability
     * is kept and marked.
     *
     * @throws DecodeException if the message or its parameters are malformed
     */
    public static Open decode(byte[] b, int from, int to) {
        if (to - from < HEADER + FIXED) {
            throw OpenFault.TRUNCATED.at(from);
        }
        if (BigEndian.i64(b, from) != -1L || BigEndian.i64(b, from + 8) != -1L) {
            throw OpenFault.MARKER.at(from);
        }
        int length = BigEndian.u16(b, from + 16);
        if (length < HEADER + FIXED || length > to - from) {
            throw OpenFault.LENGTH.at(from + 16, length);
        }
        if (BigEndian.u8(b, from + 18) != TYPE_OPEN) {
            throw OpenFault.TYPE.at(from + 18, BigEndian.u8(b, from + 18));
        }
        List<Capability> capabilities = new ArrayList<>();
        List<OptionalParameter> parameters = new ArrayList<>();
        parameters(b, from + HEADER + FIXED, from + length, capabilities, parameters);
        int twoOctetAsn = BigEndian.u16(b, from + 20);
        int asn = twoOctetAsn;
        for (Capability one : capabilities) {
            if (one.isValid(Capability.FOUR_OCTET_AS)) {
                asn = one.value().i32(0);
            }
        }
        return new Open(
                BigEndian.u8(b, from + 19),
                twoOctetAsn,
                asn,
                BigEndian.u16(b, from + 22),
                BigEndian.i32(b, from + 24),
                List.copyOf(capabilities),
                List.copyOf(parameters),
                Bytes.copyOf(b, from, from + length));
    }

    /**
     * Reads any number of {@code u8 type | u8 length | value}, with u16 lengths if the type of the first parameter is
     * 255. The one-octet length of all parameters is then not 0 and has no other meaning (RFC 9072, Section 2).
     */
    private static void parameters(
            byte[] b, int from, int to, List<Capability> capabilities, List<OptionalParameter> others) {
        int length = BigEndian.u8(b, from - 1);
        boolean extended = length != 0 && to - from >= 3 && BigEndian.u8(b, from) == EXTENDED;
        if (extended) {
            length = BigEndian.u16(b, from + 1);
        }
        int start = extended ? from + 3 : from;
        if (length != to - start) {
            throw OpenFault.PARAMETERS.at(from - 1);
        }
        ByteCursor cursor = new ByteCursor(b, start, to, PARAMETERS);
        while (cursor.hasRemaining()) {
            int type = cursor.u8();
            ByteCursor value = cursor.slice(extended ? cursor.u16() : cursor.u8(), PARAMETERS);
            if (type == CAPABILITIES) {
                while (value.hasRemaining()) {
                    capabilities.add(capability(value));
                }
            } else {
                others.add(new OptionalParameter(type, value.bytes(value.remaining())));
            }
        }
    }

    /**
     * Reads {@code u8 code | u8 length | value}. A capability that extends beyond the end of its parameter keeps the
     * bytes before it.
     */
    private static Capability capability(ByteCursor cursor) {
        int code = cursor.u8();
        int length = cursor.hasRemaining() ? cursor.u8() : -1;
        boolean cut = length < 0 || length > cursor.remaining();
        Bytes value = cursor.bytes(cut ? cursor.remaining() : length);
        return new Capability(code, value, cut || !CapabilityType.fits(code, value));
    }

    /** Returns whether the OPEN has a well-formed capability with this code. */
    public boolean has(int capabilityCode) {
        return capabilities.stream().anyMatch(one -> one.isValid(capabilityCode));
    }

    /** Returns the families of the multiprotocol capability (RFC 4760, Section 8). */
    public List<Integer> families() {
        return capabilities.stream()
                .filter(one -> one.isValid(Capability.MULTIPROTOCOL))
                .map(one -> Family.of(one.value().u16(0), one.value().u8(3)))
                .toList();
    }

    /** Returns the ADD-PATH mode of each family (RFC 7911, Section 4). The last entry of a family takes precedence. */
    public Map<Integer, AddPathMode> addPath() {
        Map<Integer, AddPathMode> modes = new TreeMap<>();
        for (Capability one : entries(Capability.ADD_PATH)) {
            for (int i = 0; i < one.value().length(); i += 4) {
                modes.put(
                        Family.of(one.value().u16(i), one.value().u8(i + 2)),
                        AddPathMode.of(one.value().u8(i + 3)));
            }
        }
        return modes;
    }

    /** Returns the families whose routes may have an IPv6 next hop (RFC 8950, Section 4). */
    public List<Integer> extendedNextHopFamilies() {
        List<Integer> families = new ArrayList<>();
        for (Capability one : entries(Capability.EXTENDED_NEXT_HOP)) {
            for (int i = 0; i < one.value().length(); i += 6) {
                families.add(Family.of(one.value().u16(i), one.value().u8(i + 3)));
            }
        }
        return families;
    }

    /** Returns the families whose NLRI may have more than one label (RFC 8277, Section 2.1). */
    public List<Integer> multipleLabelFamilies() {
        List<Integer> families = new ArrayList<>();
        for (Capability one : entries(Capability.MULTIPLE_LABELS)) {
            for (int i = 0; i < one.value().length(); i += 4) {
                families.add(Family.of(one.value().u16(i), one.value().u8(i + 2)));
            }
        }
        return families;
    }

    /** Returns the role that the sender has in the session, as its BGP Role states (RFC 9234, Section 4.1). */
    public Optional<NeighborRole> role() {
        return entries(Capability.BGP_ROLE).stream()
                .findFirst()
                .flatMap(one -> NeighborRole.of(one.value().u8(0)));
    }

    private List<Capability> entries(int capabilityCode) {
        return capabilities.stream().filter(one -> one.isValid(capabilityCode)).toList();
    }

    /** Returns all fields as a JSON object. */
    public String toJson() {
        return Json.string(this::write);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("version", version);
        json.writeNumberField("asn", Integer.toUnsignedLong(asn));
        json.writeNumberField("two_octet_asn", twoOctetAsn);
        json.writeNumberField("hold_time", holdTime);
        json.writeStringField("bgp_id", Addresses.ipv4(bgpId));
        Json.strings("families", families().stream().map(Family::text).toList(), json);
        json.writeObjectFieldStart("add_path");
        for (Map.Entry<Integer, AddPathMode> entry : addPath().entrySet()) {
            json.writeStringField(Family.text(entry.getKey()), entry.getValue().text());
        }
        json.writeEndObject();
        json.writeArrayFieldStart("capabilities");
        for (Capability one : capabilities) {
            CapabilityType.write(one, json);
        }
        json.writeEndArray();
        if (!parameters.isEmpty()) {
            json.writeArrayFieldStart("parameters");
            for (OptionalParameter one : parameters) {
                json.writeStartObject();
                json.writeNumberField("type", one.type());
                json.writeStringField("value", one.value().hex());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }
}
