package dev.silkroute.capture;

import java.io.Closeable;

/**
 * The bytes of one session in order, piece by piece. Not thread-safe. The array behind a piece is reused: it holds
 * until the next call.
 */
public interface SessionReader extends Closeable {
    /**
     * Moves to the next piece; false at the end of the session.
     *
     * @throws CaptureException where the session breaks off, after every byte before that place was handed out
     */
    boolean next() throws CaptureException;

    byte[] bytes();

    int from();

    int to();

    /** When the piece's last byte was seen, nanoseconds since 1970; 0 where the capture has no times. */
    long timeNanos();

    @Override
    void close();
}
