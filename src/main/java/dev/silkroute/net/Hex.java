package dev.silkroute.net;

import java.util.HexFormat;

/** Formats numbers and bytes as lower-case hex digits. */
public final class Hex {
    private static final HexFormat FORMAT = HexFormat.of();

    private Hex() {}

    /** Returns sixteen digits. */
    public static String of(long value) {
        return FORMAT.toHexDigits(value);
    }

    public static String of(byte[] bytes, int from, int to) {
        return FORMAT.formatHex(bytes, from, to);
    }
}
