package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import java.util.HexFormat;

/**
 * The type of a field in a {@link Layout}: its length on the wire and its text. A new type is one constant.
 *
 * <p>Fields that begin with their own length give it in bits (RFC 7432, Section 7).
 */
enum FieldType {
    /** Eight bytes. */
    DISTINGUISHER(8, (b, at, end, out) -> out.append(RouteDistinguisher.exactText(BigEndian.i64(b, at)))),
    /** An Ethernet segment identifier of ten bytes (RFC 7432, Section 5). */
    SEGMENT(10, FieldType::colons),
    U8(1, (b, at, end, out) -> out.append(b[at] & 0xFF)),
    U16(2, (b, at, end, out) -> out.append(BigEndian.u16(b, at))),
    U32(4, (b, at, end, out) -> out.append(BigEndian.u32(b, at))),
    IPV4(4, (b, at, end, out) -> AddressText.address(b, at, 4, out)),
    IPV6(16, (b, at, end, out) -> AddressText.address(b, at, 16, out)),
    /** {@code u8 48 | six bytes}. */
    MAC(Shape.MAC, 0, (b, at, end, out) -> colons(b, at + 1, end, out)),
    /** {@code u8 32 or 128 | address}. */
    ADDRESS(Shape.ADDRESS, 0, FieldType::addressOrAll),
    /** {@code u8 0, 32 or 128 | address}; a field without address is not in the text. */
    OPTIONAL_ADDRESS(Shape.OPTIONAL_ADDRESS, 0, FieldType::addressOrAll),
    /** {@code u8 0, 32 or 128 | address}; no address stands for all of them, {@code *}. */
    ADDRESS_OR_ALL(Shape.OPTIONAL_ADDRESS, 0, FieldType::addressOrAll),
    /** An address of 4 or 16 bytes that fills the rest of the NLRI. */
    LAST_ADDRESS(Shape.LAST_ADDRESS, 0, (b, at, end, out) -> AddressText.address(b, at, end - at, out)),
    /** {@code u8 bits | whole address}. */
    IPV4_PREFIX(Shape.PREFIX, 4, FieldType::prefix),
    /** {@code u8 bits | whole address}. */
    IPV6_PREFIX(Shape.PREFIX, 16, FieldType::prefix),
    /** {@link LabelField}. */
    LABEL(3, (b, at, end, out) -> LabelField.text(b, at, out)),
    /** One or two {@link LabelField label fields} that fill the rest of the NLRI. */
    LABELS(Shape.LAST_LABELS, 0, (b, at, end, out) -> {
        LabelField.text(b, at, out);
        if (end - at > 3) {
            LabelField.text(b, at + 3, out.append(','));
        }
    }),
    /** Eight bytes, shown in hex. */
    EIGHT_BYTES(8, FieldType::hex),
    /** Another NLRI of the family with its type and length, shown in hex. */
    ROUTE_KEY(Shape.ROUTE_KEY, 0, FieldType::hex);

    /**
     * The rule by which the length of a field is determined. Validation switches over these few instead of making a
     * call per type.
     */
    private enum Shape {
        FIXED,
        MAC,
        ADDRESS,
        OPTIONAL_ADDRESS,
        PREFIX,
        LAST_ADDRESS,
        LAST_LABELS,
        ROUTE_KEY
    }

    @FunctionalInterface
    private interface Text {
        void append(byte[] b, int at, int end, StringBuilder out);
    }

    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    private final Shape shape;
    /** Bytes of a fixed field or of the address in a prefix. */
    private final int size;

    private final Text text;

    FieldType(int size, Text text) {
        this(Shape.FIXED, size, text);
    }

    FieldType(Shape shape, int size, Text text) {
        this.shape = shape;
        this.size = size;
        this.text = text;
    }

    /**
     * Returns the end of the field at {@code at}, or -1 if it is malformed or runs over {@code limit}. Does not
     * allocate.
     */
    int end(byte[] b, int at, int limit) {
        if (at >= limit) {
            return -1;
        }
        int rest = limit - at;
        int length = switch (shape) {
            case FIXED -> size;
            case MAC -> b[at] == 48 ? 7 : -1;
            case ADDRESS -> addressLength(b[at] & 0xFF, false);
            case OPTIONAL_ADDRESS -> addressLength(b[at] & 0xFF, true);
            case PREFIX -> (b[at] & 0xFF) <= 8 * size ? 1 + size : -1;
            case LAST_ADDRESS -> rest == 4 || rest == 16 ? rest : -1;
            case LAST_LABELS -> rest == 3 || rest == 6 ? rest : -1;
            case ROUTE_KEY -> rest < 2 ? -1 : 2 + (b[at + 1] & 0xFF);
        };
        return length < 0 || length > rest ? -1 : at + length;
    }

    /** Returns whether the text has neither the name nor the value of this field. */
    boolean isOmitted(byte[] b, int at) {
        return this == OPTIONAL_ADDRESS && b[at] == 0;
    }

    void text(byte[] b, int at, int end, StringBuilder out) {
        text.append(b, at, end, out);
    }

    /** Appends the field's part of the route key: bits after the length of a prefix are cleared. */
    void key(byte[] b, int at, int end, ByteSink out) {
        int start = out.position();
        out.bytes(b, at, end);
        if (this == IPV4_PREFIX || this == IPV6_PREFIX) {
            int bits = b[at] & 0xFF;
            for (int i = 1 + bits / 8; i < end - at; i++) {
                out.patchU8(start + i, i == 1 + bits / 8 ? b[at + i] & 0xFF00 >>> (bits & 7) : 0);
            }
        }
    }

    private static int addressLength(int bits, boolean orNone) {
        return bits == 32 || bits == 128 || orNone && bits == 0 ? 1 + bits / 8 : -1;
    }

    private static void addressOrAll(byte[] b, int at, int end, StringBuilder out) {
        if (end - at == 1) {
            out.append('*');
        } else {
            AddressText.address(b, at + 1, end - at - 1, out);
        }
    }

    private static void prefix(byte[] b, int at, int end, StringBuilder out) {
        AddressText.address(b, at + 1, end - at - 1, out);
        out.append('/').append(b[at] & 0xFF);
    }

    private static void colons(byte[] b, int at, int end, StringBuilder out) {
        out.append(COLONS.formatHex(b, at, end));
    }

    private static void hex(byte[] b, int at, int end, StringBuilder out) {
        out.append("0x").append(Hex.of(b, at, end));
    }
}
