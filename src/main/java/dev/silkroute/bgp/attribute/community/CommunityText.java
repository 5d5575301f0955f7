package dev.silkroute.bgp.attribute.community;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.MacAddress;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Formats the six bytes that follow type and sub-type of an extended community. Parts of a text are joined with colons.
 */
@FunctionalInterface
interface CommunityText {
    /** {@code u16 AS number | u32 number}: {@code 64500:1}. */
    CommunityText AS2_NUMBER = value -> (value >>> 32) + ":" + (value & 0xFFFF_FFFFL);
    /** {@code IPv4 address | u16 number}: {@code 192.0.2.1:1}. */
    CommunityText IPV4_NUMBER = value -> Addresses.ipv4((int) (value >>> 16)) + ":" + (value & 0xFFFF);
    /** {@code u32 AS number | u16 number}: {@code 4200000011:1}. */
    CommunityText AS4_NUMBER = value -> (value >>> 16) + ":" + (value & 0xFFFF);
    /** {@code u16 AS number | u32 float}, bytes or packets per second: {@code 64500:125000000}. */
    CommunityText AS2_RATE = CommunityText::rate;

    CommunityText MAC = MacAddress::text;

    /** Six bytes that are all 0, with an empty text. */
    CommunityText EMPTY = value -> value == 0 ? "" : null;

    /** Returns the text, or null if it would not show every bit. */
    @Nullable
    String of(long value);

    /** An unsigned number in the lower bits; all others are 0. */
    static CommunityText number(int bits) {
        return value -> value >>> bits == 0 ? Long.toString(value) : null;
    }

    /** Formats an integral rate without an exponent, as configurations have it. */
    private static @Nullable String rate(long value) {
        float rate = Float.intBitsToFloat((int) value);
        if (!Float.isFinite(rate) || rate < 0 || (int) value == Integer.MIN_VALUE) {
            return null;
        }
        boolean whole = rate < 1e18f && rate == (float) Math.floor(rate);
        return (value >>> 32) + ":" + (whole ? new BigDecimal(rate).toPlainString() : Float.toString(rate));
    }
}
