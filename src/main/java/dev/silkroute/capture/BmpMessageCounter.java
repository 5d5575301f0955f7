package dev.silkroute.capture;

/**
 * Counts the complete BMP messages of a stream, which it receives in pieces, by their length fields. An impossible
 * length ends the count; the rest of the stream is replayed, but not counted. Not thread-safe.
 */
public final class BmpMessageCounter {
    private static final int LENGTH_END = 5;

    private final byte[] header = new byte[LENGTH_END];
    private int headerBytes;
    private long missing;
    private long messages;
    private boolean outOfSync;

    /** Adds the next piece. Returns the number of messages that ended in it. */
    public int add(byte[] bytes, int from, int to) {
        long before = messages;
        int at = from;
        while (at < to && !outOfSync) {
            at += headerBytes < LENGTH_END ? takeHeader(bytes, at, to) : takeBody(at, to);
        }
        return (int) (messages - before);
    }

    private int takeHeader(byte[] bytes, int at, int to) {
        int taken = Math.min(LENGTH_END - headerBytes, to - at);
        System.arraycopy(bytes, at, header, headerBytes, taken);
        headerBytes += taken;
        if (headerBytes == LENGTH_END) {
            missing = BmpHeader.messageLength(header, 0) - LENGTH_END;
            outOfSync = missing < 1;
        }
        return taken;
    }

    private int takeBody(int at, int to) {
        int taken = (int) Math.min(missing, to - at);
        missing -= taken;
        if (missing == 0) {
            messages++;
            headerBytes = 0;
        }
        return taken;
    }

    /** Returns the number of complete messages. */
    public long messages() {
        return messages;
    }

    /** Returns whether the stream so far ends between two messages. */
    public boolean isAtBoundary() {
        return headerBytes == 0;
    }

    /** Returns whether a length field was impossible, so that nothing after it was counted. */
    public boolean isOutOfSync() {
        return outOfSync;
    }

    /**
     * Returns the bytes that the current message still lacks, or, if its length is not known yet, that its length field
     * lacks.
     */
    public long missing() {
        return headerBytes < LENGTH_END ? LENGTH_END - headerBytes : missing;
    }
}
