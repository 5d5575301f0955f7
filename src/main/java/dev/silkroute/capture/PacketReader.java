package dev.silkroute.capture;

import java.io.Closeable;

/** The packets of a capture in the order in which they were written. The array behind a packet is reused. */
abstract class PacketReader implements Closeable {
    private static final int USUAL_PACKET = 64 * 1024;

    final CaptureInput input;

    /** The current packet, from index 0. */
    byte[] packet = new byte[USUAL_PACKET];

    int length;
    int linkType;
    boolean timed;
    long timeNanos;
    long offset;

    PacketReader(CaptureInput input) {
        this.input = input;
    }

    /** Goes on to the next packet; false at the end of the file. */
    abstract boolean next() throws CaptureException;

    /** Makes room for a packet of so many bytes. */
    final void ensure(int size) {
        if (size > packet.length) {
            packet = new byte[size];
        }
    }

    /** What the packet begins with: a LINKTYPE_ value. */
    final int linkType() {
        return linkType;
    }

    final byte[] bytes() {
        return packet;
    }

    /** Bytes that were kept of the packet. */
    final int length() {
        return length;
    }

    /** Whether the capture says when this packet was seen, or one before it. */
    final boolean timed() {
        return timed;
    }

    /** Nanoseconds since 1970. */
    final long timeNanos() {
        return timeNanos;
    }

    /** Where the packet's record begins in the file. */
    final long offset() {
        return offset;
    }

    @Override
    public final void close() {
        input.close();
    }
}
