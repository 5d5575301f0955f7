package dev.silkroute.postgres.pipeline;

import java.util.Locale;
import java.util.Set;

/**
 * Types that the driver knows and neither reads nor writes as they are: null instead of the value of most, and days of an
 * interval become months.
 */
final class UnreadTypes {
    private static final Set<String> NAMES =
            Set.of("oid", "macaddr", "macaddr8", "bit", "varbit", "hstore", "xml", "interval", "money");

    private UnreadTypes() {}

    /** @param type as PostgreSQL or the driver call it, an array's too */
    static boolean contains(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        return NAMES.contains(name.endsWith("_array") ? name.substring(0, name.length() - "_array".length()) : name);
    }
}
