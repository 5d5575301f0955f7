package dev.silkroute.capture;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes may be held back, behind a missing TCP segment or until it is known where BMP begins: in one stream, and
 * in all streams that share this limit. Thread-safe.
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

    /** Takes room for bytes of a stream that holds {@code streamHeld} already; false where there is none. */
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
