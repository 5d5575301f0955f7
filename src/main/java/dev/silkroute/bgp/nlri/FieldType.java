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
    MAC((b, at, limit) -> (b[at] & 0xFF) == 48 ? 7 : -1, (b, at, end, out) -> colons(b, at + 1, end, out)),
    /** {@code u8 32 or 128 | address}. */
    ADDRESS((b, at, limit) -> addressLength(b[at] & 0xFF, false), FieldType::addressOrAll),
    /** {@code u8 0, 32 or 128 | address}; a field without address is not in the text. */
    OPTIONAL_ADDRESS((b, at, limit) -> addressLength(b[at] & 0xFF, true), FieldType::addressOrAll),
    /** {@code u8 0, 32 or 128 | address}; no address stands for all of them, {@code *}. */
    ADDRESS_OR_ALL((b, at, limit) -> addressLength(b[at] & 0xFF, true), FieldType::addressOrAll),
    /** An address of 4 or 16 bytes that fills the rest of the NLRI. */
    LAST_ADDRESS(
            (b, at, limit) -> limit - at == 4 || limit - at == 16 ? limit - at : -1,
            (b, at, end, out) -> AddressText.address(b, at, end - at, out)),
    /** {@code u8 bits | whole address}. */
    IPV4_PREFIX((b, at, limit) -> (b[at] & 0xFF) <= 32 ? 5 : -1, FieldType::prefix),
    /** {@code u8 bits | whole address}. */
    IPV6_PREFIX((b, at, limit) -> (b[at] & 0xFF) <= 128 ? 17 : -1, FieldType::prefix),
    /** {@link LabelField}. */
    LABEL(3, (b, at, end, out) -> LabelField.text(b, at, out)),
    /** One or two {@link LabelField label fields} that fill the rest of the NLRI. */
    LABELS((b, at, limit) -> limit - at == 3 || limit - at == 6 ? limit - at : -1, (b, at, end, out) -> {
        LabelField.text(b, at, out);
        if (end - at > 3) {
            LabelField.text(b, at + 3, out.append(','));
        }
    }),
    /** Eight bytes, shown in hex. */
    EIGHT_BYTES(8, FieldType::hex),
    /** Another NLRI of the family with its type and length, shown in hex. */
    ROUTE_KEY((b, at, limit) -> limit - at < 2 ? -1 : 2 + (b[at + 1] & 0xFF), FieldType::hex);

    /**
     * Returns the length in bytes of a field that begins before {@code limit}, -1 if it is malformed. Does not
     * allocate.
     */
    @FunctionalInterface
    private interface Length {
        int of(byte[] b, int at, int limit);
    }

    @FunctionalInterface
    private interface Text {
        void append(byte[] b, int at, int end, StringBuilder out);
    }

    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    /** Bytes of a field whose length does not vary, else 0: validation then makes no interface call. */
    private final int fixedLength;

    private final Length length;
    private final Text text;

    FieldType(int fixedLength, Text text) {
        this.fixedLength = fixedLength;
        this.length = (b, at, limit) -> fixedLength;
        this.text = text;
    }

    FieldType(Length length, Text text) {
        this.fixedLength = 0;
        this.length = length;
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
        int bytes = fixedLength > 0 ? fixedLength : length.of(b, at, limit);
        return bytes < 0 || bytes > limit - at ? -1 : at + bytes;
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
