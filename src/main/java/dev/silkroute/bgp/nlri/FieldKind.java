package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import java.util.HexFormat;

/** What a field of a {@link Layout} is: how long, and its text. Lengths of addresses are in bits (RFC 7432, Section 7). */
enum FieldKind {
    DISTINGUISHER,
    /** Ten bytes (RFC 7432, Section 5). */
    SEGMENT,
    U8,
    U16,
    U32,
    IPV4,
    IPV6,
    /** u8 48 | six bytes. */
    MAC,
    /** u8 32 or 128 | address. */
    ADDRESS,
    /** u8 0, 32 or 128 | address; left out of the text where there is none. */
    OPTIONAL_ADDRESS,
    /** u8 0, 32 or 128 | address; none means all of them. */
    ADDRESS_OR_ALL,
    /** 4 or 16 bytes, up to the end. */
    LAST_ADDRESS,
    /** u8 bits | the whole address. */
    IPV4_PREFIX,
    IPV6_PREFIX,
    LABEL,
    /** One or two labels, up to the end. */
    LABELS,
    /** Eight bytes without a text of their own. */
    EIGHT_BYTES,
    /** Another NLRI of the family, its type and length included. */
    ROUTE_KEY;

    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    /** The end of the field at {@code at}, -1 if it isn't one. Allocates nothing. */
    int end(byte[] b, int at, int limit) {
        int length = switch (this) {
            case U8 -> 1;
            case U16 -> 2;
            case LABEL -> 3;
            case U32, IPV4 -> 4;
            case DISTINGUISHER, EIGHT_BYTES -> 8;
            case SEGMENT -> 10;
            case IPV6 -> 16;
            case LABELS -> limit - at == 3 || limit - at == 6 ? limit - at : -1;
            case LAST_ADDRESS -> limit - at == 4 || limit - at == 16 ? limit - at : -1;
            default -> prefixed(b, at, limit);
        };
        return length < 0 || length > limit - at ? -1 : at + length;
    }

    /** The length of a field that begins with one. */
    private int prefixed(byte[] b, int at, int limit) {
        if (this == ROUTE_KEY) {
            return limit - at < 2 ? -1 : 2 + (b[at + 1] & 0xFF);
        }
        if (at >= limit) {
            return -1;
        }
        int bits = b[at] & 0xFF;
        return switch (this) {
            case MAC -> bits == 48 ? 7 : -1;
            case IPV4_PREFIX -> bits <= 32 ? 5 : -1;
            case IPV6_PREFIX -> bits <= 128 ? 17 : -1;
            case ADDRESS -> bits == 32 || bits == 128 ? 1 + bits / 8 : -1;
            default -> bits == 0 || bits == 32 || bits == 128 ? 1 + bits / 8 : -1;
        };
    }

    /** Whether the field's text is left out, name and all. */
    boolean leftOut(byte[] b, int at) {
        return this == OPTIONAL_ADDRESS && b[at] == 0;
    }

    void text(byte[] b, int at, int end, StringBuilder out) {
        switch (this) {
            case DISTINGUISHER -> out.append(RouteDistinguisher.exactText(BigEndian.i64(b, at)));
            case SEGMENT -> out.append(COLONS.formatHex(b, at, end));
            case U8 -> out.append(b[at] & 0xFF);
            case U16 -> out.append(BigEndian.u16(b, at));
            case U32 -> out.append(BigEndian.u32(b, at));
            case IPV4, IPV6, LAST_ADDRESS -> AddressText.address(b, at, end - at, out);
            case MAC -> out.append(COLONS.formatHex(b, at + 1, end));
            case ADDRESS, OPTIONAL_ADDRESS, ADDRESS_OR_ALL -> {
                if (end - at == 1) {
                    out.append('*');
                } else {
                    AddressText.address(b, at + 1, end - at - 1, out);
                }
            }
            case IPV4_PREFIX, IPV6_PREFIX -> {
                AddressText.address(b, at + 1, end - at - 1, out);
                out.append('/').append(b[at] & 0xFF);
            }
            case LABEL, LABELS -> {
                LabelText.either(b, at, out);
                if (end - at > 3) {
                    LabelText.either(b, at + 3, out.append(','));
                }
            }
            case EIGHT_BYTES, ROUTE_KEY -> out.append("0x").append(Hex.of(b, at, end));
        }
    }

    void parse(String text, ByteSink out) {
        switch (this) {
            case DISTINGUISHER -> out.i64(RouteDistinguisher.parse(text));
            case SEGMENT -> bytes(COLONS.parseHex(text), 10, out);
            case U8 -> out.u8((int) NlriTokens.number(text, 0xFF));
            case U16 -> out.u16((int) NlriTokens.number(text, 0xFFFF));
            case U32 -> out.u32((int) NlriTokens.number(text, 0xFFFF_FFFFL));
            case IPV4 -> AddressText.parse(text, 4, out);
            case IPV6 -> AddressText.parse(text, 16, out);
            case LAST_ADDRESS -> AddressText.parse(text, out);
            case MAC -> bytes(COLONS.parseHex(text), 6, out.u8(48));
            case ADDRESS, OPTIONAL_ADDRESS, ADDRESS_OR_ALL -> {
                int at = out.position();
                out.u8(0);
                if (this != ADDRESS_OR_ALL || !text.equals("*")) {
                    out.patchU8(at, 8 * AddressText.parse(text, out));
                }
            }
            case IPV4_PREFIX -> prefix(text, 4, out);
            case IPV6_PREFIX -> prefix(text, 16, out);
            case LABEL -> LabelText.parseEither(text, out);
            case LABELS -> {
                String[] labels = text.split(",", -1);
                if (labels.length > 2) {
                    throw new IllegalArgumentException("more than two labels: " + text);
                }
                for (String label : labels) {
                    LabelText.parseEither(label, out);
                }
            }
            case EIGHT_BYTES -> bytes(NlriTokens.hex(text), 8, out);
            case ROUTE_KEY -> {
                byte[] key = NlriTokens.hex(text);
                bytes(key, key.length, out);
            }
        }
    }

    private static void prefix(String text, int length, ByteSink out) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("no prefix: " + text);
        }
        out.u8((int) NlriTokens.number(text.substring(slash + 1), length * 8L));
        AddressText.parse(text.substring(0, slash), length, out);
    }

    private static void bytes(byte[] bytes, int length, ByteSink out) {
        if (bytes.length != length) {
            throw new IllegalArgumentException(
                    length + " bytes expected: " + HexFormat.of().formatHex(bytes));
        }
        out.bytes(bytes, 0, length);
    }

    /** Appends the field's part of the route key: bits behind a prefix mean nothing. */
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
}
