package dev.silkroute.capture;

/**
 * Counts the whole BMP messages of a stream that arrives in pieces. Goes by the length fields alone, and stops counting
 * where one of them cannot be a length: the stream is still replayed from there, only not counted.
 */
public final class BmpMessageCounter {
    private static final int LENGTH_END = 5;

    private final byte[] header = new byte[LENGTH_END];
    private int headerBytes;
    private long missing;
    private long messages;
    private boolean lost;

    /** Takes the next piece; returns how many messages ended in it. */
    public int add(byte[] bytes, int from, int to) {
        long before = messages;
        int at = from;
        while (at < to && !lost) {
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
            lost = missing < 1;
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

    public long messages() {
        return messages;
    }

    /** True between two messages. */
    public boolean atBoundary() {
        return headerBytes == 0;
    }

    /** True when a length field made no sense, so that nothing after it was counted. */
    public boolean lost() {
        return lost;
    }

    /** Bytes that the message begun still needs; at least 1 while its header is incomplete. */
    public long missing() {
        return headerBytes < LENGTH_END ? LENGTH_END - headerBytes : missing;
    }
}
