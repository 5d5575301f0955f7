package dev.silkroute.postgres.pipeline;

import java.util.Locale;
import java.util.Set;

/**
 * Types whose values the driver does not transfer faithfully: it returns null for most of them and turns the days of an
 * interval into months.
 */
final class UnsupportedTypes {
    private static final Set<String> NAMES =
            Set.of("oid", "macaddr", "macaddr8", "bit", "varbit", "hstore", "xml", "interval", "money");

    private UnsupportedTypes() {}

    /** @param type the name that PostgreSQL or the driver uses, of a scalar or an array */
    static boolean contains(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        return NAMES.contains(name.endsWith("_array") ? name.substring(0, name.length() - "_array".length()) : name);
    }
}
