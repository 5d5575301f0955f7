package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import java.util.HexFormat;

/** {@code 00:11:22:33:44:55}, lower case. */
final class MacText {
    private static final HexFormat FORMAT = HexFormat.ofDelimiter(":");

    private MacText() {}

    static String of(byte[] b, int at) {
        return FORMAT.formatHex(b, at, at + 6);
    }

    /** The lower 48 bits. */
    static String of(long mac) {
        byte[] b = new byte[8];
        BigEndian.putI64(b, 0, mac);
        return of(b, 2);
    }

    /** @throws IllegalArgumentException if the text is no six bytes */
    static long parse(String text) {
        byte[] six = FORMAT.parseHex(text);
        if (six.length != 6) {
            throw new IllegalArgumentException("no MAC address: " + text);
        }
        byte[] b = new byte[8];
        System.arraycopy(six, 0, b, 2, 6);
        return BigEndian.i64(b, 0);
    }
}
