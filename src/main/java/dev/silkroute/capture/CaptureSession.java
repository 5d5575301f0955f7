package dev.silkroute.capture;

import org.jspecify.annotations.Nullable;

/**
 * A BMP session of a capture.
 *
 * @param index the position among the capture's sessions in the order of their beginnings, from 0
 * @param name source and destination, or the kind of stream
 * @param flow the direction of the TCP connection, or null if the capture does not consist of packets
 * @param begin the offset of the session's first packet or record in the file
 * @param startNanos the time of the first byte in nanoseconds since 1970; 0 if the capture has no times
 * @param bytes the length of the BMP stream, as far as it can be replayed
 * @param messages the number of complete BMP messages
 * @param skipped the bytes omitted at the start because the capture starts in the middle of a message
 * @param failure why the stream is incomplete, or null if it is complete
 */
public record CaptureSession(
        int index,
        String name,
        @Nullable Flow flow,
        long begin,
        long startNanos,
        long bytes,
        long messages,
        long skipped,
        @Nullable CaptureException failure) {}
