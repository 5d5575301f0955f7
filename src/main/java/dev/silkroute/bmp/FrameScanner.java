package dev.silkroute.bmp;

import org.jspecify.annotations.Nullable;

/**
 * Finds the whole BMP messages in the bytes that have arrived so far. Examines only common headers, and reports a
 * fault as soon as the bytes that prove it have arrived. Whole messages before a fault are valid. A Termination
 * message ends the session (RFC 7854, Section 4.5): bytes after it are not examined.
 *
 * <p>One instance per session, reused for each read without allocation. Not thread-safe.
 */
public final class FrameScanner {
    /** More than 65,535 bytes: an extended UPDATE (RFC 8654) with its BMP headers is longer. */
    public static final int DEFAULT_MAX_LENGTH = 1 << 20;

    private final int maxLength;
    private int end;
    private int messages;
    private int peerEvents;
    private boolean terminated;
    private int faultOffset = -1;
    private @Nullable FramingFault fault;

    public FrameScanner() {
        this(DEFAULT_MAX_LENGTH);
    }

    /** @param maxLength longest message accepted, in bytes including the common header */
    public FrameScanner(int maxLength) {
        if (maxLength < BmpMessages.COMMON_HEADER_LENGTH) {
            throw new IllegalArgumentException("the limit of messages must be at least "
                    + BmpMessages.COMMON_HEADER_LENGTH + " bytes, it is " + maxLength);
        }
        this.maxLength = maxLength;
    }

    /** Scans {@code from..to}; {@code from} is the first byte of a message. */
    public void scan(byte[] b, int from, int to) {
        end = from;
        messages = 0;
        peerEvents = 0;
        fault = null;
        faultOffset = -1;
        terminated = false;
        while (end < to) {
            int length = lengthAt(b, end, to);
            if (fault != null) {
                return;
            }
            if (length > to - end) {
                return;
            }
            int type = BmpMessages.type(b, end);
            terminated = type == MessageType.TERMINATION.code();
            if (type == MessageType.PEER_UP.code() || type == MessageType.PEER_DOWN.code()) {
                peerEvents++;
            }
            end += length;
            messages++;
            if (terminated) {
                return;
            }
        }
    }

    private int lengthAt(byte[] b, int at, int to) {
        if (!BmpMessages.isKnown(BmpMessages.version(b, at))) {
            return fail(FramingFault.WRONG_VERSION, at);
        }
        if (to - at < BmpMessages.COMMON_HEADER_LENGTH - 1) {
            return BmpMessages.COMMON_HEADER_LENGTH;
        }
        int length = BmpMessages.length(b, at);
        if (Integer.compareUnsigned(length, maxLength) > 0) {
            return fail(FramingFault.TOO_LONG, at + 1);
        }
        return length < BmpMessages.COMMON_HEADER_LENGTH ? fail(FramingFault.IMPOSSIBLE_LENGTH, at + 1) : length;
    }

    private int fail(FramingFault why, int at) {
        fault = why;
        faultOffset = at;
        return 0;
    }

    /** Returns the absolute end of the last whole message, {@code from} if there is none. */
    public int end() {
        return end;
    }

    /** Returns the number of whole messages. */
    public int messages() {
        return messages;
    }

    /** Returns the number of Peer Up and Peer Down messages among the whole messages. */
    public int peerEvents() {
        return peerEvents;
    }

    /** Returns whether the last whole message is a Termination. */
    public boolean terminated() {
        return terminated;
    }

    /** Returns the fault after the whole messages, null if there is none. */
    public @Nullable FramingFault fault() {
        return fault;
    }

    /** Returns the absolute offset of the byte that proves the fault, -1 without one. */
    public int faultOffset() {
        return faultOffset;
    }
}
