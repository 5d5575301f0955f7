package dev.silkroute.component.replay;

/** Some bytes of a session, where they stand in it, and when the last of them was captured. */
final class Chunk {
    final byte[] bytes;
    final long offset;
    final long timeNanos;

    Chunk(byte[] bytes, long offset, long timeNanos) {
        this.bytes = bytes;
        this.offset = offset;
        this.timeNanos = timeNanos;
    }
}
