package dev.silkroute.net;

import java.util.HexFormat;

/** Formats MAC addresses as {@code 00:11:22:33:44:55}, in lower case. */
public final class MacAddress {
    private static final HexFormat FORMAT = HexFormat.ofDelimiter(":");

    private MacAddress() {}

    /** Returns the text of the six bytes at {@code at}. */
    public static String text(byte[] b, int at) {
        return FORMAT.formatHex(b, at, at + 6);
    }

    /** Returns the text of the lower 48 bits. */
    public static String text(long mac) {
        byte[] b = new byte[8];
        BigEndian.putI64(b, 0, mac);
        return text(b, 2);
    }
}
