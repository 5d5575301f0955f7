package dev.silkroute.bgp.attribute;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether AS_PATH and AGGREGATOR have AS numbers of two or of four octets. The capabilities and the A flag of
 * BMP are only hints, because routers get both wrong; but a path rarely ends exactly in both sizes.
 */
public final class AsNumberSize {
    private static final int MAX_ATTRIBUTE = 0xFFFF;

    private AsNumberSize() {}

    /** Returns true for four octets, and {@code expectFour} if the attributes do not decide. */
    public static boolean isFour(byte[] b, AttributeTable table, boolean expectFour) {
        if (!table.has(AttributeCode.AS_PATH) || table.length(AttributeCode.AS_PATH) == 0) {
            int length = table.has(AttributeCode.AGGREGATOR) ? table.length(AttributeCode.AGGREGATOR) : 0;
            return length == 8 || length != 6 && expectFour;
        }
        boolean expected = fits(b, table, expectFour);
        // AS4_PATH only accompanies a two-octet AS_PATH, so it decides if both sizes fit.
        if (expected && !(expectFour && table.has(AttributeCode.AS4_PATH))) {
            return expectFour;
        }
        return fits(b, table, !expectFour) && !hasZero(b, table, !expectFour) ? !expectFour : expectFour;
    }

    /** Returns the fault of the AS_PATH in {@code table}, read in this size; null if it is valid. */
    public static @Nullable AttributeFault check(byte[] b, AttributeTable table, boolean four) {
        if (!fits(b, table, four)) {
            return Attribute.AS_PATH.malformed();
        }
        return !four && canonicalLength(b, table) > MAX_ATTRIBUTE ? AttributeFault.AS_PATH_TOO_LONG : null;
    }

    private static boolean fits(byte[] b, AttributeTable table, boolean four) {
        return AsPathBytes.fits(b, table.from(AttributeCode.AS_PATH), table.to(AttributeCode.AS_PATH), four ? 4 : 2);
    }

    /**
     * Returns whether the path has AS 0, which RFC 7607 forbids. Four-octet AS numbers that are read as two-octet ones
     * are full of them.
     */
    private static boolean hasZero(byte[] b, AttributeTable table, boolean four) {
        return AsPathBytes.hasZero(b, table.from(AttributeCode.AS_PATH), table.to(AttributeCode.AS_PATH), four ? 4 : 2);
    }

    /** Returns the maximum length of a two-octet AS_PATH after it is merged with AS4_PATH. */
    private static int canonicalLength(byte[] b, AttributeTable table) {
        int merged = table.has(AttributeCode.AS4_PATH) ? table.length(AttributeCode.AS4_PATH) : 0;
        return AsPathBytes.widenedLength(b, table.from(AttributeCode.AS_PATH), table.to(AttributeCode.AS_PATH))
                + merged;
    }
}
