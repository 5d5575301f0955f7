/**
 * BGP as a monitoring station receives it. This package has what its sub-packages share: RIB views, peer types,
 * decoding outcomes, and the context of decoding.
 *
 * <p>The decoders in the sub-packages are pure: they turn bytes and a context into values, or throw a
 * {@link dev.silkroute.net.DecodeException}. They may use {@code net} and Jackson's streaming API.
 */
@NullMarked
package dev.silkroute.bgp;

import org.jspecify.annotations.NullMarked;
