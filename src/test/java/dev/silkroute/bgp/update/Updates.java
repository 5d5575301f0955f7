package dev.silkroute.bgp.update;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;

/** UPDATE messages put together from hex, field by field, the wrong ones too. */
public final class Updates {
    public static final String ORIGIN = "40010100";
    public static final String AS_PATH = "4002060201" + "0000fde9";
    public static final String NEXT_HOP = "400304c0000201";
    public static final String GOOD = ORIGIN + AS_PATH + NEXT_HOP;
    public static final String PREFIX = "18c63364";

    private Updates() {}

    /** {@code u16 length, withdrawn, u16 length, attributes, NLRI} behind a right header. */
    public static byte[] update(String withdrawn, String attributes, String nlri) {
        int withdrawnLength = withdrawn.length() / 2;
        int attributesLength = attributes.length() / 2;
        return message(2, u16(withdrawnLength) + withdrawn + u16(attributesLength) + attributes + nlri);
    }

    public static byte[] message(int type, String body) {
        ByteSink out = new ByteSink();
        out.i64(-1).i64(-1).u16(19 + body.length() / 2).u8(type).bytes(Bytes.ofHex(body));
        return out.toByteArray();
    }

    public static String attribute(int flags, int type, String value) {
        int length = value.length() / 2;
        return length > 255
                ? String.format("%02x%02x%04x", flags | 0x10, type, length) + value
                : String.format("%02x%02x%02x", flags, type, length) + value;
    }

    public static String mpReach(int afi, int safi, String nextHop, String nlri) {
        return attribute(
                0x80, 14, u16(afi) + String.format("%02x%02x", safi, nextHop.length() / 2) + nextHop + "00" + nlri);
    }

    public static String mpUnreach(int afi, int safi, String nlri) {
        return attribute(0x80, 15, u16(afi) + String.format("%02x", safi) + nlri);
    }

    public static String u16(int value) {
        return String.format("%04x", value);
    }
}
