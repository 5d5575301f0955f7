package dev.silkroute.rpki;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.KeyedHash;

/**
 * A validated ROA payload: the AS may originate the prefix and more specific ones of up to the maximum length.
 *
 * @param maxLength from the prefix's length to 32 or 128
 * @param asn unsigned; AS 0 may originate nothing (RFC 6483, Section 4)
 */
public record Vrp(IpPrefix prefix, int maxLength, int asn) {
    /** @throws IllegalArgumentException if the maximum length is shorter than the prefix or longer than an address */
    public Vrp {
        int bits = prefix.ipv6() ? 128 : 32;
        if (maxLength < prefix.length() || maxLength > bits) {
            throw new IllegalArgumentException("the maximum length " + maxLength + " of " + prefix + " is not between "
                    + prefix.length() + " and " + bits);
        }
    }

    /**
     * Parses an AS number, {@code AS64500} or {@code 64500}.
     *
     * @return the number as unsigned 32 bits
     * @throws IllegalArgumentException if the text is not an AS number; the message quotes the text
     */
    static int parseAsn(String text) {
        String digits = text.regionMatches(true, 0, "AS", 0, 2) ? text.substring(2) : text;
        try {
            if (!digits.isEmpty() && Character.isDigit(digits.charAt(0))) {
                return Integer.parseUnsignedInt(digits);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a valid AS number", e);
        }
        throw new IllegalArgumentException("'" + text + "' is not a valid AS number");
    }

    /** Keyed: the holder of a prefix chooses the AS numbers, and an RTR cache everything. */
    @Override
    public int hashCode() {
        return KeyedHash.fold(KeyedHash.of(prefix.hashCode(), (long) asn << 8 ^ maxLength));
    }

    @Override
    public String toString() {
        return prefix + "-" + maxLength + " AS" + Integer.toUnsignedString(asn);
    }
}
