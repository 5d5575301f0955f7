/**
 * MRT files (RFC 6396, and RFC 8050 for ADD-PATH) as BMP sessions: each collector becomes a monitored router whose
 * sessions report the collector's peers. The package uses {@code bmp}, {@code bgp}, {@code net} and {@code capture}.
 *
 * <p>A file is read in two passes. The survey infers the capabilities of each BGP session from its messages and
 * determines the lengths of the BMP streams; later each stream is generated while it is read. Both passes use
 * {@link dev.silkroute.mrt.MrtPlayer}, so their results agree.
 */
@NullMarked
package dev.silkroute.mrt;

import org.jspecify.annotations.NullMarked;
