package dev.silkroute.bgp.attribute;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether AS_PATH and AGGREGATOR have AS numbers of two or of four octets. Capabilities and the A flag of BMP
 * are only hints: routers get both wrong, but a path rarely ends exactly in both sizes.
 */
public final class AsNumberSize {
    private static final int MAX_ATTRIBUTE = 0xFFFF;

    private AsNumberSize() {}

    /** True for four octets; what was expected if nothing tells. */
    public static boolean isFour(byte[] b, AttributeTable table, boolean expectFour) {
        if (!table.has(AttributeCode.AS_PATH) || table.length(AttributeCode.AS_PATH) == 0) {
            int length = table.has(AttributeCode.AGGREGATOR) ? table.length(AttributeCode.AGGREGATOR) : 0;
            return length == 8 || length != 6 && expectFour;
        }
        boolean expected = fits(b, table, expectFour);
        // AS4_PATH is only ever beside a two-octet AS_PATH, so it decides where both sizes fit.
        if (expected && !(expectFour && table.has(AttributeCode.AS4_PATH))) {
            return expectFour;
        }
        return fits(b, table, !expectFour) && !hasZero(b, table, !expectFour) ? !expectFour : expectFour;
    }

    /** What is wrong with the AS_PATH that {@code table} has, read in this size; null if nothing. */
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
     * No path has AS 0 (RFC 7607), but four octets read as two by two are full of them: what is malformed must not pass
     * so.
     */
    private static boolean hasZero(byte[] b, AttributeTable table, boolean four) {
        return AsPathBytes.hasZero(b, table.from(AttributeCode.AS_PATH), table.to(AttributeCode.AS_PATH), four ? 4 : 2);
    }

    /** The most that a two-octet AS_PATH can become, merged with AS4_PATH. */
    private static int canonicalLength(byte[] b, AttributeTable table) {
        int merged = table.has(AttributeCode.AS4_PATH) ? table.length(AttributeCode.AS4_PATH) : 0;
        return AsPathBytes.widenedLength(b, table.from(AttributeCode.AS_PATH), table.to(AttributeCode.AS_PATH))
                + merged;
    }
}
