package dev.silkroute.capture.packet;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes that are buffered after a missing TCP segment, or until the first BMP message is found: for a
 * single stream, and for all streams that share the limit. Thread-safe.
 */
final class ReassemblyLimit {
    private static final long PER_STREAM = 4L << 20;
    private static final long OVERALL = 64L << 20;

    private final long perStream;
    private final long overall;
    private final AtomicLong held = new AtomicLong();

    ReassemblyLimit() {
        this(PER_STREAM, OVERALL);
    }

    ReassemblyLimit(long perStream, long overall) {
        this.perStream = perStream;
        this.overall = overall;
    }

    /**
     * Reserves bytes. Returns false if they exceed a limit.
     *
     * @param streamHeld the bytes that the stream has reserved already
     */
    boolean take(long streamHeld, long bytes) {
        if (streamHeld + bytes > perStream) {
            return false;
        }
        if (held.addAndGet(bytes) > overall) {
            held.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void release(long bytes) {
        held.addAndGet(-bytes);
    }

    long held() {
        return held.get();
    }
}
