package dev.silkroute.capture;

import java.io.Closeable;

/**
 * Reads the bytes of a session in pieces. Not thread-safe. A piece is valid until the next call of {@link #next}, which
 * reuses its array.
 */
public interface SessionReader extends Closeable {
    /**
     * Moves to the next piece. Returns false at the end of the session.
     *
     * @throws CaptureException at the end of an incomplete session, after all its bytes were returned
     */
    boolean next() throws CaptureException;

    byte[] bytes();

    int from();

    int to();

    /**
     * Returns when the last byte of the piece was captured, in nanoseconds since 1970; 0 if the capture has no times.
     */
    long timeNanos();

    @Override
    void close();
}
