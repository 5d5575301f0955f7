package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureInput;
import java.io.Closeable;

/** Reads the packets of a capture in file order. The array of a packet is reused for the next one. Not thread-safe. */
abstract class PacketReader implements Closeable {
    private static final int INITIAL_CAPACITY = 64 * 1024;

    final CaptureInput input;

    // Set by next().

    /** The current packet, from index 0. */
    byte[] packet = new byte[INITIAL_CAPACITY];

    int length;
    int linkType;
    boolean isTimed;
    long timeNanos;
    long offset;

    PacketReader(CaptureInput input) {
        this.input = input;
    }

    /** Moves to the next packet. Returns false at the end of the file. */
    abstract boolean next() throws CaptureException;

    /** Ensures that {@link #packet} has at least this size; its content may be lost. */
    final void ensureCapacity(int size) {
        if (size > packet.length) {
            packet = new byte[size];
        }
    }

    /** Returns the link type: a LINKTYPE_ value of tcpdump.org/linktypes.html. */
    final int linkType() {
        return linkType;
    }

    final byte[] bytes() {
        return packet;
    }

    /** Returns the number of captured bytes of the packet. */
    final int length() {
        return length;
    }

    /** Returns whether the packet, or one before it, has a time. */
    final boolean isTimed() {
        return isTimed;
    }

    /** Returns the capture time in nanoseconds since 1970. */
    final long timeNanos() {
        return timeNanos;
    }

    /** Returns the offset of the packet's record in the file. */
    final long offset() {
        return offset;
    }

    @Override
    public final void close() {
        input.close();
    }
}
