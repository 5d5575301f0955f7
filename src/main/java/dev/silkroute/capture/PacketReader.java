package dev.silkroute.capture;

import java.io.Closeable;

/** The packets of a capture in the order in which they were written. The array behind a packet is reused. */
interface PacketReader extends Closeable {
    boolean next() throws CaptureException;

    /** What the packet begins with: a LINKTYPE_ value. */
    int linkType();

    byte[] bytes();

    /** Bytes that were kept of the packet. */
    int length();

    /** Whether the capture says when this packet was seen, or one before it. */
    boolean timed();

    /** Nanoseconds since 1970. */
    long timeNanos();

    /** Where the packet's record begins in the file. */
    long offset();

    @Override
    void close();
}
