package dev.silkroute.collector.transport;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.bmp.FramingFault;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a connection has received and no batch has taken: whole messages, followed by the beginning of the
 * next one. Not thread-safe.
 *
 * <pre>
 * bytes:  | taken | message | message | begin of a message |  unused  |
 *         0       from                wholeTo              filled     bytes.length
 * </pre>
 *
 * Bytes that no batch has taken move to the beginning only when space is needed, because a batch may be a small part
 * of the buffer.
 */
final class StreamBuffer {
    /**
     * Arrays above this size are shrunk when the connection is quiet: no budget counts their unused part, and
     * connections are many.
     */
    private static final int SMALL = 4096;

    /** An array of which less than this fraction is used is shrunk. */
    private static final int SHRINK_BELOW = 4;

    private static final int SHOWN_BYTES = 16;

    private final FrameScanner scanner;
    private final int usualBytes;
    private byte[] bytes = {};
    private int from;
    private int filled;
    private int wholeTo;
    private int messages;
    private long taken;
    /** Position of the byte at {@link #from} in the connection's stream. */
    private long offset;

    StreamBuffer(SessionLimits limits) {
        scanner = new FrameScanner(limits.frame());
        usualBytes = limits.session();
    }

    void append(ByteBuf read) {
        int length = read.readableBytes();
        if (bytes.length - filled < length) {
            makeRoom(length);
        }
        read.readBytes(bytes, filled, length);
        filled += length;
    }

    /** Makes room at the end: moves the remaining bytes, into a larger array if too many would move otherwise. */
    private void makeRoom(int length) {
        int needed = filled - from + length;
        boolean mayGrow = bytes.length < usualBytes;
        if (needed > bytes.length || mayGrow && from < filled - from) {
            move(new byte[Math.max(needed, Math.min(2 * bytes.length, usualBytes))]);
        } else {
            move(bytes);
        }
    }

    /** Moves the remaining bytes to the beginning of an array, which may be the same. */
    private void move(byte[] to) {
        System.arraycopy(bytes, from, to, 0, filled - from);
        bytes = to;
        filled -= from;
        wholeTo -= from;
        from = 0;
    }

    /** Finds the messages that are complete now, and returns the fault of the bytes after them, or null. */
    @Nullable
    FramingFault scan() {
        scanner.scan(bytes, wholeTo, filled);
        wholeTo = scanner.end();
        messages += scanner.messages();
        return scanner.fault();
    }

    /** Returns how many of the messages that the last {@link #scan} has found are Peer Up or Peer Down messages. */
    int newPeerEvents() {
        return scanner.peerEvents();
    }

    /** Returns whether the last whole message is a Termination, after which {@link #scan} must not be called. */
    boolean terminated() {
        return scanner.terminated();
    }

    /** Returns the array that contains the whole messages, from its beginning until the first batch has been taken. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the size of the whole messages in bytes. */
    int wholeBytes() {
        return wholeTo - from;
    }

    /** Returns the size of the first whole message in bytes; there must be one. */
    int firstLength() {
        return BmpMessages.length(bytes, from);
    }

    /** Returns the number of whole messages in the buffer. */
    int messages() {
        return messages;
    }

    /** Returns the number of messages that batches have taken. */
    long taken() {
        return taken;
    }

    /** Returns the number of whole messages that the connection has received. */
    long all() {
        return taken + messages;
    }

    /** Returns how many bytes of an incomplete message there are. */
    int rest() {
        return filled - wholeTo;
    }

    /**
     * Takes whole messages out: at most {@code maxMessages}, and as many as fit into {@code maxBytes}, but at least
     * one if there is one.
     */
    byte[] take(int maxBytes, int maxMessages) {
        int to = wholeTo;
        int count = messages;
        if (to - from > maxBytes || count > maxMessages) {
            to = from;
            count = 0;
            do {
                to += BmpMessages.length(bytes, to);
                count++;
            } while (to < wholeTo && count < maxMessages && to - from + BmpMessages.length(bytes, to) <= maxBytes);
        }
        byte[] whole = Arrays.copyOfRange(bytes, from, to);
        offset += to - from;
        from = to;
        if (from == filled) {
            move(bytes);
        }
        taken += count;
        messages -= count;
        return whole;
    }

    /** Returns the size of the array, used or not. */
    int capacity() {
        return bytes.length;
    }

    /**
     * Shrinks an array that is mostly unused. Not to be called after every batch: while bytes keep coming, the next
     * ones need the space.
     */
    void trim() {
        if (bytes.length > SMALL && filled - from < bytes.length / SHRINK_BELOW) {
            move(new byte[filled - from]);
        }
    }

    /** Drops the incomplete message. @return its size in bytes */
    int dropRest() {
        int rest = rest();
        filled = wholeTo;
        return rest;
    }

    /** Describes a fault and its position; for a connection without any message also its first bytes. */
    String text(FramingFault fault) {
        String text = "%s at offset %d of the stream".formatted(fault.text(), offset + scanner.faultOffset() - from);
        return all() == 0 ? text + ": not a BMP router, its first bytes are " + firstBytes() : text;
    }

    private String firstBytes() {
        StringBuilder text = new StringBuilder("'");
        for (int i = wholeTo; i < Math.min(filled, wholeTo + SHOWN_BYTES); i++) {
            boolean isPrintable = bytes[i] >= ' ' && bytes[i] < 0x7F && bytes[i] != '\'';
            text.append(isPrintable ? String.valueOf((char) bytes[i]) : "\\x%02x".formatted(bytes[i]));
        }
        return text.append('\'').toString();
    }
}
