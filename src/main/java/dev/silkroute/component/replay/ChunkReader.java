package dev.silkroute.component.replay;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.SessionReader;
import java.io.Closeable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Divides a session into chunks: full ones if times do not matter, else one for each packet, so that each has its own
 * time. Reads one packet ahead, so it is known whether a chunk is the last one before it is sent. Not thread-safe.
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

    /**
     * @param limit the maximum number of bytes
     * @param byPacket whether chunks must not span packets
     */
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

    /** Returns the capture time of the next packet. */
    long nextTimeNanos() {
        return reader.timeNanos();
    }

    /** Returns why the session is incomplete after the last chunk, or null if it is complete. */
    @Nullable
    CaptureException failure() {
        return failure;
    }

    /** Returns the next chunk; {@link #hasNext} must be true. */
    ReplayChunk next() {
        int length = byPacket ? Math.min(chunkSize, to - from) : (int) Math.min(chunkSize, left);
        byte[] bytes = new byte[length];
        long time = 0;
        int size = 0;
        while (size < length && hasNext()) {
            time = reader.timeNanos();
            size += take(bytes, size);
        }
        ReplayChunk chunk = new ReplayChunk(size < length ? Arrays.copyOf(bytes, size) : bytes, offset, time);
        offset += size;
        return chunk;
    }

    /** Returns the chunk extended by the next packet, or the same chunk if that would exceed the chunk size. */
    ReplayChunk append(ReplayChunk chunk) {
        int size = chunk.bytes.length;
        if (to - from > chunkSize - size) {
            return chunk;
        }
        byte[] bytes = Arrays.copyOf(chunk.bytes, size + to - from);
        long time = reader.timeNanos();
        offset += take(bytes, size);
        return new ReplayChunk(bytes, chunk.offset, time);
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
