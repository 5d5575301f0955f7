package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;

/**
 * The common header of every message (RFC 7854, Section 4.1), which is the same in versions 3 and 4.
 *
 * <pre>
 * u8 version = 3 or 4 | u32 length of the whole message | u8 type
 * </pre>
 */
public final class BmpMessages {
    public static final int VERSION = 3;

    /** draft-ietf-grow-bmp-tlv. Every message contains its version; a session may mix both. */
    public static final int VERSION_4 = 4;

    public static final int COMMON_HEADER_LENGTH = 6;
    public static final int PER_PEER_HEADER_LENGTH = 42;

    /** Offset of the body in a message with a per-peer header. */
    public static final int PEER_BODY = COMMON_HEADER_LENGTH + PER_PEER_HEADER_LENGTH;

    private BmpMessages() {}

    public static boolean isKnown(int version) {
        return version == VERSION || version == VERSION_4;
    }

    public static int version(byte[] b, int message) {
        return BigEndian.u8(b, message);
    }

    /** Returns the length of the whole message in bytes; negative from 2^31 on, which framing does not accept. */
    public static int length(byte[] b, int message) {
        return BigEndian.i32(b, message + 1);
    }

    /** Returns the type code, for {@link MessageType#of}. */
    public static int type(byte[] b, int message) {
        return BigEndian.u8(b, message + 5);
    }
}
