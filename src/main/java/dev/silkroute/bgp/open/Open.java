package dev.silkroute.bgp.open;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An OPEN message (RFC 4271, Section 4.2) and what its capabilities say.
 *
 * @param twoOctetAsn My Autonomous System as it stands in the header; 23456 where it does not fit
 * @param asn the AS number, from the four-octet AS capability where there is one; unsigned
 * @param holdTime seconds
 * @param capabilities in the order they came, repeated and malformed ones too
 * @param parameters optional parameters that hold no capabilities
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
    private static final String SECTION = "RFC 4271, Section 4.2";
    private static final String PARAMETERS = "RFC 5492, Section 4";
    private static final int HEADER = 19;
    private static final int FIXED = 10;
    private static final int TYPE_OPEN = 1;
    private static final int CAPABILITIES = 2;
    private static final int EXTENDED = 255;

    /**
     * Decodes the OPEN that begins at {@code from}; its own length says where it ends. A malformed capability is kept,
     * marked, and means nothing; what comes after it counts.
     *
     * @throws DecodeException if the message itself or its parameters do not fit together
     */
    public static Open decode(byte[] b, int from, int to) {
        if (to - from < HEADER + FIXED) {
            throw new DecodeException("no whole OPEN", from, SECTION);
        }
        if (BigEndian.i64(b, from) != -1L || BigEndian.i64(b, from + 8) != -1L) {
            throw new DecodeException("BGP marker is not all ones", from, "RFC 4271, Section 4.1");
        }
        int length = BigEndian.u16(b, from + 16);
        if (length < HEADER + FIXED || length > to - from) {
            throw new DecodeException("OPEN length " + length + " does not fit", from + 16, SECTION);
        }
        if (BigEndian.u8(b, from + 18) != TYPE_OPEN) {
            throw new DecodeException(
                    "BGP message of type " + BigEndian.u8(b, from + 18) + " is no OPEN", from + 18, SECTION);
        }
        List<Capability> capabilities = new ArrayList<>();
        List<OptionalParameter> parameters = new ArrayList<>();
        parameters(b, from + HEADER + FIXED, from + length, capabilities, parameters);
        int twoOctetAsn = BigEndian.u16(b, from + 20);
        int asn = twoOctetAsn;
        for (Capability one : capabilities) {
            if (one.means(Capability.FOUR_OCTET_AS)) {
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
     * {@code u8 type | u8 length | value}, or with u16 lengths if the first "parameter" is 255: the one-octet length
     * then says nothing, but is not 0 (RFC 9072, Section 2).
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
            throw new DecodeException("optional parameters do not fill the OPEN", from - 1, SECTION);
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

    /** {@code u8 code | u8 length | value}; one that runs over the end of its parameter keeps what is there. */
    private static Capability capability(ByteCursor cursor) {
        int code = cursor.u8();
        int length = cursor.hasRemaining() ? cursor.u8() : -1;
        boolean cut = length < 0 || length > cursor.remaining();
        Bytes value = cursor.bytes(cut ? cursor.remaining() : length);
        return new Capability(code, value, cut || !CapabilityForm.fits(code, value));
    }

    /** Whether the OPEN has a well-formed capability of this code. */
    public boolean has(int capabilityCode) {
        return capabilities.stream().anyMatch(one -> one.means(capabilityCode));
    }

    /** Families of the multiprotocol capability (RFC 4760, Section 8). */
    public List<Integer> families() {
        return capabilities.stream()
                .filter(one -> one.means(Capability.MULTIPROTOCOL))
                .map(one -> Family.of(one.value().u16(0), one.value().u8(3)))
                .toList();
    }

    /** What the sender offers for ADD-PATH, by family (RFC 7911, Section 4); the last entry of a family wins. */
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

    /**
     * Families whose routes may have an IPv6 next hop (RFC 8950, Section 4):
     * {@code u16 AFI | u16 SAFI | u16 next-hop AFI}.
     */
    public List<Integer> extendedNextHopFamilies() {
        List<Integer> families = new ArrayList<>();
        for (Capability one : entries(Capability.EXTENDED_NEXT_HOP)) {
            for (int i = 0; i < one.value().length(); i += 6) {
                families.add(Family.of(one.value().u16(i), one.value().u8(i + 3)));
            }
        }
        return families;
    }

    /** Families whose NLRI may have more than one label (RFC 8277, Section 2.1). */
    public List<Integer> multipleLabelFamilies() {
        List<Integer> families = new ArrayList<>();
        for (Capability one : entries(Capability.MULTIPLE_LABELS)) {
            for (int i = 0; i < one.value().length(); i += 4) {
                families.add(Family.of(one.value().u16(i), one.value().u8(i + 2)));
            }
        }
        return families;
    }

    private List<Capability> entries(int capabilityCode) {
        return capabilities.stream().filter(one -> one.means(capabilityCode)).toList();
    }

    /** Everything the OPEN says; fields of capabilities are {@link CapabilityJson}'s. */
    public String toJson() {
        JsonText json = new JsonText()
                .begin()
                .field("version", version)
                .field("asn", Integer.toUnsignedLong(asn))
                .field("two_octet_asn", twoOctetAsn)
                .field("hold_time", holdTime)
                .field("bgp_id", Addresses.ipv4(bgpId))
                .field("families", families().stream().map(Family::text).toList());
        json.name("add_path").begin();
        addPath().forEach((family, mode) -> json.field(Family.text(family), mode.text()));
        json.end().name("capabilities").beginArray();
        for (Capability one : capabilities) {
            CapabilityJson.write(one, json);
        }
        json.endArray();
        if (!parameters.isEmpty()) {
            json.name("parameters").beginArray();
            for (OptionalParameter one : parameters) {
                json.begin()
                        .field("type", one.type())
                        .field("value", one.value().hex())
                        .end();
            }
            json.endArray();
        }
        return json.end().toString();
    }
}
