package dev.silkroute.app.config;

/** Formats byte sizes. Units are powers of 1,024. */
public final class ByteSize {
    private static final String UNITS = "kmgt";

    private ByteSize() {}

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
