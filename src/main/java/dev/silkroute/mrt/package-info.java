/**
 * MRT files (RFC 6396, ADD-PATH by RFC 8050) as BMP sessions: each collector becomes a monitored router that tells of its
 * peers what the file tells of them. May use {@code bmp}, {@code bgp}, {@code net} and {@code capture}.
 *
 * <p>A file is passed over twice. The survey learns what each session of a peer needs its OPENs to say, and how long the
 * BMP streams get; then each stream is made while it is read. Both are one {@link dev.silkroute.mrt.MrtPlayer} with
 * different agreements, so they cannot disagree.
 */
@NullMarked
package dev.silkroute.mrt;

import org.jspecify.annotations.NullMarked;
