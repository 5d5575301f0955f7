package dev.silkroute.collector.transport;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.bmp.FramingFault;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a connection has sent and no batch has taken: whole messages, behind them the beginning of one. Not thread-safe. */
final class StreamBuffer {
    /** An array that is larger than this is let go by a quiet connection: what is empty of it is counted nowhere, and connections are many. */
    private static final int SMALL = 4096;

    private static final int MOST_UNUSED = 4;

    private final FrameScanner scanner;
    private final int usual;
    private byte[] bytes = {};
    private int filled;
    private int wholeTo;
    private int messages;
    private long taken;
    /** Of the first byte, in the stream. */
    private long offset;

    StreamBuffer(SessionLimits limits) {
        scanner = new FrameScanner(limits.frame());
        usual = limits.session();
    }

    void append(ByteBuf read) {
        int length = read.readableBytes();
        if (bytes.length - filled < length) {
            bytes = Arrays.copyOf(bytes, Math.max(filled + length, Math.min(2 * bytes.length, usual)));
        }
        read.readBytes(bytes, filled, length);
        filled += length;
    }

    /** Finds the messages that have become whole. @return what is wrong with the bytes behind them */
    @Nullable
    FramingFault scan() {
        scanner.scan(bytes, wholeTo, filled);
        wholeTo = scanner.end();
        messages += scanner.messages();
        return scanner.fault();
    }

    /** The array that the whole messages are in, from its beginning to {@link #wholeTo}. */
    byte[] bytes() {
        return bytes;
    }

    int wholeTo() {
        return wholeTo;
    }

    /** Whole messages. */
    int messages() {
        return messages;
    }

    /** Messages that batches have taken. */
    long taken() {
        return taken;
    }

    /** Whole messages of the connection, those that were taken included. */
    long all() {
        return taken + messages;
    }

    /** Bytes of a message that was begun. */
    int rest() {
        return filled - wholeTo;
    }

    /** Takes whole messages out: as many as there is room for, but one at least. */
    byte[] take(int most) {
        int to = wholeTo;
        int count = messages;
        if (to > most) {
            to = 0;
            count = 0;
            do {
                to += BmpMessages.length(bytes, to);
                count++;
            } while (to < wholeTo && to + BmpMessages.length(bytes, to) <= most);
        }
        byte[] whole = Arrays.copyOf(bytes, to);
        filled -= to;
        System.arraycopy(bytes, to, bytes, 0, filled);
        offset += to;
        wholeTo -= to;
        taken += count;
        messages -= count;
        return whole;
    }

    /** Bytes that it takes, used or not. */
    int room() {
        return bytes.length;
    }

    /** Gives room back that is mostly empty: not with each batch, for while bytes keep coming the next ones need it. */
    void trim() {
        if (bytes.length > SMALL && filled < bytes.length / MOST_UNUSED) {
            bytes = Arrays.copyOf(bytes, filled);
        }
    }

    /** Drops the message that was begun. @return its bytes */
    int dropRest() {
        int rest = rest();
        filled = wholeTo;
        return rest;
    }

    /** What is wrong and where; of a connection without any message also what it sent instead. */
    String text(FramingFault fault) {
        String text = "%s at offset %d of the stream".formatted(fault.text(), offset + scanner.faultOffset());
        return all() == 0 ? text + ": no BMP router, it began with " + beginning() : text;
    }

    private String beginning() {
        StringBuilder text = new StringBuilder("'");
        for (int i = wholeTo; i < Math.min(filled, wholeTo + 16); i++) {
            boolean printable = bytes[i] >= ' ' && bytes[i] < 0x7F && bytes[i] != '\'';
            text.append(printable ? String.valueOf((char) bytes[i]) : "\\x%02x".formatted(bytes[i]));
        }
        return text.append('\'').toString();
    }
}
