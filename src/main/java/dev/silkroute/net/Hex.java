package dev.silkroute.net;

import java.util.HexFormat;

/** Lower-case hex texts. */
public final class Hex {
    private static final HexFormat FORMAT = HexFormat.of();

    private Hex() {}

    /** Sixteen digits. */
    public static String of(long value) {
        return FORMAT.toHexDigits(value);
    }

    public static String of(byte[] bytes, int from, int to) {
        return FORMAT.formatHex(bytes, from, to);
    }
}
