package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Layouts of the six bytes of extended communities, and the texts of their fields, which are joined with colons. */
final class CommunityCodecs {
    /** {@code u16 AS | u32 number}. */
    static final CommunityCodec AS2_NUMBER = codec(
            value -> (value >>> 32) + ":" + (value & 0xFFFF_FFFFL),
            parts -> unsigned(parts[0], 16) << 32 | unsigned(parts[1], 32),
            2);
    /** {@code IPv4 address | u16 number}. */
    static final CommunityCodec IPV4_NUMBER = codec(
            value -> Addresses.ipv4((int) (value >>> 16)) + ":" + (value & 0xFFFF),
            parts -> AddressParser.ipv4(parts[0]) << 16 | unsigned(parts[1], 16),
            2);
    /** {@code u32 AS | u16 number}. */
    static final CommunityCodec AS4_NUMBER = codec(
            value -> (value >>> 16) + ":" + (value & 0xFFFF),
            parts -> unsigned(parts[0], 32) << 16 | unsigned(parts[1], 16),
            2);
    /** {@code u16 AS | float}: bytes or packets per second. */
    static final CommunityCodec AS2_RATE = codec(CommunityCodecs::rate, CommunityCodecs::parseRate, 2);

    static final CommunityCodec MAC = new CommunityCodec() {
        @Override
        public String text(long value) {
            return MacText.of(value);
        }

        @Override
        public long parse(String text) {
            return MacText.parse(text);
        }
    };
    /** Nothing but zeros. */
    static final CommunityCodec EMPTY = codec(value -> value == 0 ? "" : null, parts -> 0, 0);

    private CommunityCodecs() {}

    @FunctionalInterface
    interface Text {
        @Nullable
        String of(long value);
    }

    @FunctionalInterface
    interface Parse {
        long of(String[] parts);
    }

    /** A codec of this number of fields. */
    static CommunityCodec codec(Text text, Parse parse, int fields) {
        return codec(text, parse, fields, fields);
    }

    static CommunityCodec codec(Text text, Parse parse, int least, int most) {
        return new CommunityCodec() {
            @Override
            public @Nullable String text(long value) {
                return text.of(value);
            }

            @Override
            public long parse(String fields) {
                String[] parts = fields.isEmpty() ? new String[0] : fields.split(":", -1);
                if (parts.length < least || parts.length > most) {
                    throw new IllegalArgumentException(parts.length + " fields: " + fields);
                }
                return parse.of(parts);
            }
        };
    }

    /** One unsigned number that fills the lower bits; the others must be 0. */
    static CommunityCodec number(int bits) {
        return codec(value -> value >>> bits == 0 ? Long.toString(value) : null, parts -> unsigned(parts[0], bits), 1);
    }

    /** Decimal, or hex after {@code 0x}. */
    static long unsigned(String text, int bits) {
        boolean hex = text.startsWith("0x");
        String digits = hex ? text.substring(2) : text;
        if (digits.isEmpty() || !isDigit(digits.charAt(0), hex)) {
            throw new IllegalArgumentException("no number: " + text);
        }
        long value = Long.parseLong(digits, hex ? 16 : 10);
        if (value >>> bits != 0) {
            throw new IllegalArgumentException(text + " has more than " + bits + " bits");
        }
        return value;
    }

    private static boolean isDigit(char c, boolean hex) {
        return Character.digit(c, hex ? 16 : 10) >= 0;
    }

    /** A rate as a plain number where it is whole, for that is how people write it. */
    private static @Nullable String rate(long value) {
        float rate = Float.intBitsToFloat((int) value);
        if (!Float.isFinite(rate) || rate < 0 || (int) value == Integer.MIN_VALUE) {
            return null;
        }
        boolean whole = rate < 1e18f && rate == (float) Math.floor(rate);
        return (value >>> 32) + ":" + (whole ? new BigDecimal(rate).toPlainString() : Float.toString(rate));
    }

    private static long parseRate(String[] parts) {
        float rate = Float.parseFloat(parts[1]);
        if (!Float.isFinite(rate) || rate < 0) {
            throw new IllegalArgumentException("no rate: " + parts[1]);
        }
        return unsigned(parts[0], 16) << 32 | Integer.toUnsignedLong(Float.floatToRawIntBits(rate));
    }
}
