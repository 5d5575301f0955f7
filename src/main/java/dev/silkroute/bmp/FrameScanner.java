package dev.silkroute.bmp;

import org.jspecify.annotations.Nullable;

/**
 * Finds whole BMP messages in what has arrived so far. It looks only at common headers, and says a fault as soon as the bytes that prove it
 * are there. Whole messages before a fault are still good.
 *
 * <p>One per session, used again for each read; not thread-safe, no allocation.
 */
public final class FrameScanner {
    /** Not 65,535: a legal UPDATE of RFC 8654 and its BMP headers are larger. */
    public static final int DEFAULT_MAX_LENGTH = 1 << 20;

    private final int maxLength;
    private int end;
    private int messages;
    private int needed;
    private int faultOffset = -1;
    private @Nullable FramingFault fault;

    public FrameScanner() {
        this(DEFAULT_MAX_LENGTH);
    }

    /** @param maxLength the longest message that is let through, in bytes, common header included */
    public FrameScanner(int maxLength) {
        if (maxLength < BmpMessages.COMMON_HEADER_LENGTH) {
            throw new IllegalArgumentException("frame limit " + maxLength);
        }
        this.maxLength = maxLength;
    }

    /** Scans {@code from..to}; {@code from} is the first byte of a message. */
    public void scan(byte[] b, int from, int to) {
        end = from;
        messages = 0;
        needed = 0;
        fault = null;
        faultOffset = -1;
        while (end < to) {
            int length = lengthAt(b, end, to);
            if (fault != null) {
                return;
            }
            if (length > to - end) {
                needed = length;
                return;
            }
            end += length;
            messages++;
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

    /** Absolute end of the last whole message; {@code from} if there is none. */
    public int end() {
        return end;
    }

    /** Number of whole messages. */
    public int messages() {
        return messages;
    }

    /** How many bytes from {@link #end()} on are needed at least before another scan can find more; 0 if nothing has begun. */
    public int needed() {
        return needed;
    }

    public @Nullable FramingFault fault() {
        return fault;
    }

    /** Absolute offset of the byte that proves the fault, -1 without one. */
    public int faultOffset() {
        return faultOffset;
    }
}
