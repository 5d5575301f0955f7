package dev.silkroute.capture;

import org.jspecify.annotations.Nullable;

/**
 * One BMP session of a capture, as the survey found it.
 *
 * @param index position among the capture's sessions, from 0, in the order in which they begin
 * @param name from where to where, or that it is a raw stream
 * @param flow its TCP direction, null where the capture holds no packets
 * @param begin offset of its first packet in the file
 * @param startNanos time of its first byte, nanoseconds since 1970; 0 where the capture has no times
 * @param bytes length of the BMP stream, as far as it can be replayed
 * @param messages whole BMP messages in it
 * @param skipped bytes left out at the start because the capture begins in the middle of a message
 * @param failure why the stream ends before the session did; null when nothing is missing
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
