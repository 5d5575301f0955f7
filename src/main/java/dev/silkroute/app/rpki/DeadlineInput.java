package dev.silkroute.app.rpki;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The input of a socket with a deadline for everything that is read, which a peer cannot extend by sending single
 * bytes. For one thread.
 */
final class DeadlineInput extends InputStream {
    private final Socket socket;
    private final BufferedInputStream buffered;
    private long deadline;

    DeadlineInput(Socket socket) throws IOException {
        this.socket = socket;
        InputStream in = socket.getInputStream();
        buffered = new BufferedInputStream(new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                limit();
                return in.read(bytes, offset, length);
            }
        });
    }

    /** Sets the deadline of the reads that follow. */
    void setDeadline(Duration fromNow) {
        deadline = System.nanoTime() + fromNow.toNanos();
    }

    /** Waits until the deadline for a byte or the end of the stream. Returns false if neither has come. */
    boolean awaitInput() throws IOException {
        buffered.mark(1);
        try {
            if (buffered.read() >= 0) {
                buffered.reset();
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private void limit() throws IOException {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (millis <= 0) {
            throw new SocketTimeoutException("the time for reading has passed");
        }
        socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
    }

    @Override
    public int read() throws IOException {
        return buffered.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return buffered.read(bytes, offset, length);
    }
}
