/**
 * Capture files as BMP sessions: the API that formats implement, raw BMP streams, and decompression of gzip and bzip2.
 * Packet captures are in {@code capture.packet}, MRT files in {@code mrt}. The package uses the JDK, and
 * commons-compress for bzip2; it is independent of sockets, Camel and clocks.
 *
 * <p>A file is read twice and never kept in memory: once for the {@linkplain dev.silkroute.capture.Survey survey},
 * which determines its sessions, their lengths and where they are incomplete, and then once for each session that is
 * replayed, up to the session's end. Sessions do not wait for one another, at the price of one pass for each.
 *
 * <p>A session ends early where the capture lacks bytes of it: everything before that place is returned, then a
 * {@link dev.silkroute.capture.CaptureException} reports where and how many bytes are missing. What follows is not
 * replayed, because message boundaries cannot be found in it reliably.
 */
@NullMarked
package dev.silkroute.capture;

import org.jspecify.annotations.NullMarked;
