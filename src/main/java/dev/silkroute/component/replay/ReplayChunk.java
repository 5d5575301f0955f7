package dev.silkroute.component.replay;

/** Consecutive bytes of a session, with the capture time of the last one. */
final class ReplayChunk {
    final byte[] bytes;

    /** The position of the first byte in the session. */
    final long offset;

    /** Nanoseconds since 1970; 0 if the capture has no times. */
    final long timeNanos;

    ReplayChunk(byte[] bytes, long offset, long timeNanos) {
        this.bytes = bytes;
        this.offset = offset;
        this.timeNanos = timeNanos;
    }
}
