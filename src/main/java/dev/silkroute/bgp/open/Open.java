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
 * @param capabilities in the order they came, repeated ones too
 * @param raw the whole message
 */
public record Open(
        int version, int twoOctetAsn, int asn, int holdTime, int bgpId, List<Capability> capabilities, Bytes raw) {
    private static final String SECTION = "RFC 4271, Section 4.2";
    private static final String PARAMETERS = "RFC 5492, Section 4";
    private static final int HEADER = 19;
    private static final int FIXED = 10;
    private static final int TYPE_OPEN = 1;
    private static final int CAPABILITIES = 2;
    private static final int EXTENDED = 255;

    /** Decodes the OPEN that begins at {@code from}; its own length says where it ends. */
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
        List<Capability> capabilities = parameters(b, from + HEADER + FIXED, from + length);
        int twoOctetAsn = BigEndian.u16(b, from + 20);
        int asn = twoOctetAsn;
        for (Capability one : capabilities) {
            if (one.code() == Capability.FOUR_OCTET_AS) {
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
                Bytes.copyOf(b, from, from + length));
    }

    /** {@code u8 type | u8 length | value}, or with u16 lengths if the first "parameter" is 255 (RFC 9072, Section 2). */
    private static List<Capability> parameters(byte[] b, int from, int to) {
        List<Capability> capabilities = new ArrayList<>();
        int length = BigEndian.u8(b, from - 1);
        boolean extended = length == EXTENDED && to - from >= 3 && BigEndian.u8(b, from) == EXTENDED;
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
            while (type == CAPABILITIES && value.hasRemaining()) {
                capabilities.add(capability(value));
            }
        }
        return capabilities;
    }

    private static Capability capability(ByteCursor cursor) {
        int at = cursor.position();
        int code = cursor.u8();
        Bytes value = cursor.bytes(cursor.u8());
        boolean fits = switch (code) {
            case Capability.FOUR_OCTET_AS -> value.length() == 4;
            case Capability.ADD_PATH -> value.length() % 4 == 0;
            default -> true;
        };
        if (!fits) {
            throw new DecodeException("capability " + code + " of " + value.length() + " bytes", at, PARAMETERS);
        }
        return new Capability(code, value);
    }

    public boolean has(int capabilityCode) {
        return capabilities.stream().anyMatch(one -> one.code() == capabilityCode);
    }

    /** Families of the multiprotocol capability (RFC 4760, Section 8). */
    public List<Integer> families() {
        return capabilities.stream()
                .filter(one ->
                        one.code() == Capability.MULTIPROTOCOL && one.value().length() == 4)
                .map(one -> Family.of(one.value().u16(0), one.value().u8(3)))
                .toList();
    }

    /** What the sender offers for ADD-PATH, by family (RFC 7911, Section 4); the last entry of a family wins. */
    public Map<Integer, AddPathMode> addPath() {
        Map<Integer, AddPathMode> modes = new TreeMap<>();
        for (Capability one : capabilities) {
            for (int i = 0; one.code() == Capability.ADD_PATH && i < one.value().length(); i += 4) {
                modes.put(
                        Family.of(one.value().u16(i), one.value().u8(i + 2)),
                        AddPathMode.of(one.value().u8(i + 3)));
            }
        }
        return modes;
    }

    /** Families whose routes may have an IPv6 next hop (RFC 8950, Section 4): {@code u16 AFI | u16 SAFI | u16 next-hop AFI}. */
    public List<Integer> extendedNextHopFamilies() {
        List<Integer> families = new ArrayList<>();
        for (Capability one : capabilities) {
            for (int i = 0;
                    one.code() == Capability.EXTENDED_NEXT_HOP
                            && i + 6 <= one.value().length();
                    i += 6) {
                families.add(Family.of(one.value().u16(i), one.value().u8(i + 3)));
            }
        }
        return families;
    }

    /** Families whose NLRI may have more than one label (RFC 8277, Section 2.1). */
    public List<Integer> multipleLabelFamilies() {
        List<Integer> families = new ArrayList<>();
        for (Capability one : capabilities) {
            for (int i = 0;
                    one.code() == Capability.MULTIPLE_LABELS
                            && i + 4 <= one.value().length();
                    i += 4) {
                families.add(Family.of(one.value().u16(i), one.value().u8(i + 2)));
            }
        }
        return families;
    }

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
            json.begin()
                    .field("code", one.code())
                    .field("name", one.name())
                    .field("value", one.value().hex())
                    .end();
        }
        return json.endArray().end().toString();
    }
}
