package dev.silkroute.capture;

/**
 * The BMP common header, as far as is needed to recognize a BMP stream and to find its message boundaries.
 *
 * <pre>
 *   version u8 | message length u32 (header included) | message type u8          RFC 7854, Section 4.1
 * </pre>
 *
 * BMP version 4 (draft-ietf-grow-bmp-tlv) has the same common header, so its captures can be replayed, too.
 */
public final class BmpHeader {
    public static final int LENGTH = 6;

    /** The maximum plausible message length. Valid messages may exceed 65,535 bytes (RFC 8654). */
    public static final int MAX_MESSAGE = 1 << 20;

    private static final int PER_PEER_HEADER = 42;
    private static final int INITIATION = 4;
    private static final int TERMINATION = 5;
    private static final int ROUTE_MIRRORING = 6;

    private BmpHeader() {}

    /** Returns whether a BMP message may start at the offset; at least {@link #LENGTH} bytes must follow it. */
    public static boolean isPlausible(byte[] b, int at) {
        int type = b[at + 5] & 0xff;
        return (b[at] == 3 || b[at] == 4)
                && type <= ROUTE_MIRRORING
                && messageLength(b, at) >= minimum(type)
                && messageLength(b, at) <= MAX_MESSAGE;
    }

    /** Returns the message length, header included, as an unsigned value. */
    public static long messageLength(byte[] b, int at) {
        return (b[at + 1] & 0xffL) << 24 | (b[at + 2] & 0xff) << 16 | (b[at + 3] & 0xff) << 8 | (b[at + 4] & 0xff);
    }

    private static int minimum(int type) {
        return type == INITIATION || type == TERMINATION ? LENGTH : LENGTH + PER_PEER_HEADER;
    }
}
