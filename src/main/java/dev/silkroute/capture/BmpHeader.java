package dev.silkroute.capture;

/**
 * The BMP common header, just enough to tell a BMP stream from anything else and to walk from message to message.
 *
 * <pre>
 *   version u8 | message length u32 (header included) | message type u8          RFC 7854, Section 4.1
 * </pre>
 *
 * Version 4 (draft-ietf-grow-bmp-tlv) frames the same way, so a capture of it can be replayed too.
 */
final class BmpHeader {
    static final int LENGTH = 6;

    /** Above this a length is taken for garbage. A legal message may pass 65,535 bytes (RFC 8654). */
    static final int MAX_MESSAGE = 1 << 20;

    private static final int PER_PEER_HEADER = 42;
    private static final int INITIATION = 4;
    private static final int TERMINATION = 5;
    private static final int ROUTE_MIRRORING = 6;

    private BmpHeader() {}

    static boolean plausible(byte[] b, int at) {
        int type = b[at + 5] & 0xff;
        return (b[at] == 3 || b[at] == 4)
                && type <= ROUTE_MIRRORING
                && messageLength(b, at) >= minimum(type)
                && messageLength(b, at) <= MAX_MESSAGE;
    }

    /** Unsigned: a length with its highest bit set is above every limit, not negative. */
    static long messageLength(byte[] b, int at) {
        return (b[at + 1] & 0xffL) << 24 | (b[at + 2] & 0xff) << 16 | (b[at + 3] & 0xff) << 8 | (b[at + 4] & 0xff);
    }

    private static int minimum(int type) {
        return type == INITIATION || type == TERMINATION ? LENGTH : LENGTH + PER_PEER_HEADER;
    }
}
