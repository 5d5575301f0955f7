package dev.silkroute.component.replay;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.SessionReader;
import java.io.Closeable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a session into chunks: full ones where time does not matter, else none longer than what one packet brought, so
 * that each keeps its time.
 */
final class ChunkReader implements Closeable {
    private final SessionReader reader;
    private final int chunkSize;
    private final boolean byPacket;
    private long left;
    private long offset;
    private int from;
    private int to;

    /** @param limit bytes after which the session is cut off */
    ChunkReader(SessionReader reader, int chunkSize, long limit, boolean byPacket) {
        this.reader = reader;
        this.chunkSize = chunkSize;
        this.left = limit;
        this.byPacket = byPacket;
    }

    /**
     * The next chunk, null at the end.
     *
     * @throws CaptureException where the session breaks off, after all chunks before that place
     */
    @Nullable
    Chunk next() throws CaptureException {
        if (left == 0 || !available(false)) {
            return null;
        }
        byte[] bytes = new byte[(int) Math.min(left, byPacket ? Math.min(chunkSize, to - from) : chunkSize)];
        int size = 0;
        while (size < bytes.length && available(size > 0)) {
            int taken = Math.min(bytes.length - size, to - from);
            System.arraycopy(reader.bytes(), from, bytes, size, taken);
            from += taken;
            size += taken;
        }
        Chunk chunk = new Chunk(size < bytes.length ? Arrays.copyOf(bytes, size) : bytes, offset, reader.timeNanos());
        offset += size;
        left -= size;
        return chunk;
    }

    /** Makes sure of bytes to take. With a chunk begun, a failure waits for the next call: the reader repeats it. */
    private boolean available(boolean begun) throws CaptureException {
        if (from < to) {
            return true;
        }
        try {
            boolean more = reader.next();
            from = more ? reader.from() : to;
            to = more ? reader.to() : to;
            return more;
        } catch (CaptureException e) {
            if (begun) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
