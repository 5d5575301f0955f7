package dev.silkroute.app.config;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Parses and formats byte sizes such as {@code 512M}, {@code 4MiB}, {@code 1g} and {@code 4096}. Units are powers of
 * 1,024.
 */
public final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*([kmgt]?)(i?b)?");
    private static final String UNITS = "kmgt";

    private ByteSize() {}

    /** @throws IllegalArgumentException if the string is not a byte size */
    public static long parse(String text) {
        var match = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!match.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a byte size such as 512M");
        }
        var unit = match.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        return Math.multiplyExact(Long.parseLong(match.group(1)), 1L << shift);
    }

    /** Formats a size in its largest binary unit, rounded down: {@code 1536} is {@code 1 KiB}. */
    public static String text(long bytes) {
        for (int unit = UNITS.length(); unit > 0; unit--) {
            long size = 1L << (10 * unit);
            if (bytes >= size) {
                return bytes / size + " " + Character.toUpperCase(UNITS.charAt(unit - 1)) + "iB";
            }
        }
        return bytes + " bytes";
    }
}
