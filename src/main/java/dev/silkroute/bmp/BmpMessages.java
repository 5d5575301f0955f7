package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;

/**
 * The common header of every message (RFC 7854, Section 4.1), the same in both versions.
 *
 * <pre>
 * u8 version = 3 or 4 | u32 length of the whole message | u8 type
 * </pre>
 */
public final class BmpMessages {
    public static final int VERSION = 3;

    /** draft-ietf-grow-bmp-tlv. Each message says its version by itself. */
    public static final int VERSION_4 = 4;

    public static final int COMMON_HEADER_LENGTH = 6;
    public static final int PER_PEER_HEADER_LENGTH = 42;

    /** Where the body of a message with a per-peer header begins. */
    public static final int PEER_BODY = COMMON_HEADER_LENGTH + PER_PEER_HEADER_LENGTH;

    private BmpMessages() {}

    public static boolean isKnown(int version) {
        return version == VERSION || version == VERSION_4;
    }

    public static int version(byte[] b, int message) {
        return BigEndian.u8(b, message);
    }

    /** Length of the whole message in bytes; above 2^31 it is negative, which no framing lets pass. */
    public static int length(byte[] b, int message) {
        return BigEndian.i32(b, message + 1);
    }

    /** The type code; {@link MessageType#of} knows the ones that have a meaning. */
    public static int type(byte[] b, int message) {
        return BigEndian.u8(b, message + 5);
    }
}
