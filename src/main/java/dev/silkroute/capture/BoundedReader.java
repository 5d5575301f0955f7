package dev.silkroute.capture;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Limits a session to the bytes that the survey counted, and then ends it as the survey found: normally, or with the
 * reason why it is incomplete. The rest of the file is not read.
 */
final class BoundedReader implements SessionReader {
    private final SessionReader reader;
    private final Path file;
    private final @Nullable CaptureException failure;
    private final long begin;
    private long left;
    private int to;

    BoundedReader(SessionReader reader, Path file, CaptureSession session) {
        this.reader = reader;
        this.file = file;
        this.failure = session.failure();
        this.begin = session.begin();
        this.left = session.bytes();
    }

    @Override
    public boolean next() throws CaptureException {
        if (left > 0 && reader.next()) {
            int length = (int) Math.min(left, reader.to() - reader.from());
            to = reader.from() + length;
            left -= length;
            return true;
        }
        if (failure != null) {
            throw failure;
        }
        if (left > 0) {
            throw new CaptureException(file, begin, "the file has changed while it was replayed");
        }
        return false;
    }

    @Override
    public byte[] bytes() {
        return reader.bytes();
    }

    @Override
    public int from() {
        return reader.from();
    }

    @Override
    public int to() {
        return to;
    }

    @Override
    public long timeNanos() {
        return reader.timeNanos();
    }

    @Override
    public void close() {
        reader.close();
    }
}
