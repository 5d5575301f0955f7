package dev.silkroute.app.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Amounts of bytes as people write them: {@code 512M}, {@code 4MiB}, {@code 1g}, {@code 4096}; units are powers of 1,024. */
public final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*([kmgt]?)(i?b)?");
    private static final String UNITS = "kmgt";

    private ByteSize() {}

    /** @throws IllegalArgumentException where the text is no amount of bytes */
    public static long parse(String text) {
        var match = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!match.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an amount of bytes such as 512M");
        }
        var unit = match.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        return Math.multiplyExact(Long.parseLong(match.group(1)), 1L << shift);
    }

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
