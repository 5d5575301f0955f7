package dev.silkroute.component.replay;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.SessionReader;
import java.io.Closeable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a session into chunks: full ones where time does not matter, else what one packet brought, so that each keeps its
 * time. Is always one packet ahead: what comes after a chunk is known before the chunk is sent.
 */
final class ChunkReader implements Closeable {
    private final SessionReader reader;
    private final int chunkSize;
    private final boolean byPacket;
    private long left;
    private long offset;
    private int from;
    private int to;
    private @Nullable CaptureException failure;

    /** @param limit bytes after which the session is cut off */
    ChunkReader(SessionReader reader, int chunkSize, long limit, boolean byPacket) {
        this.reader = reader;
        this.chunkSize = chunkSize;
        this.left = limit;
        this.byPacket = byPacket;
        advance();
    }

    boolean hasNext() {
        return from < to;
    }

    /** When the packet that is next was captured. */
    long nextTimeNanos() {
        return reader.timeNanos();
    }

    /** Why the session breaks off after the last chunk; null where it does not. */
    @Nullable
    CaptureException failure() {
        return failure;
    }

    /** The next chunk; there must be one. */
    Chunk next() {
        int length = byPacket ? Math.min(chunkSize, to - from) : (int) Math.min(chunkSize, left);
        byte[] bytes = new byte[length];
        long time = 0;
        int size = 0;
        while (size < length && hasNext()) {
            time = reader.timeNanos();
            size += take(bytes, size);
        }
        Chunk chunk = new Chunk(size < length ? Arrays.copyOf(bytes, size) : bytes, offset, time);
        offset += size;
        return chunk;
    }

    /** The chunk and the next packet in one, the same chunk where it would get too long. */
    Chunk append(Chunk chunk) {
        int size = chunk.bytes.length;
        if (to - from > chunkSize - size) {
            return chunk;
        }
        byte[] bytes = Arrays.copyOf(chunk.bytes, size + to - from);
        long time = reader.timeNanos();
        offset += take(bytes, size);
        return new Chunk(bytes, chunk.offset, time);
    }

    private int take(byte[] into, int at) {
        int taken = Math.min(into.length - at, to - from);
        System.arraycopy(reader.bytes(), from, into, at, taken);
        from += taken;
        left -= taken;
        if (from == to) {
            advance();
        }
        return taken;
    }

    private void advance() {
        try {
            boolean more = left > 0 && reader.next();
            from = more ? reader.from() : 0;
            to = more ? from + (int) Math.min(reader.to() - from, left) : 0;
        } catch (CaptureException e) {
            failure = e;
            from = 0;
            to = 0;
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
