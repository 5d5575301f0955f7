/**
 * BGP as a monitoring station meets it: UPDATE and OPEN messages, path attributes, NLRI of every family, capabilities.
 *
 * <p>Decoders are pure: bytes and context in, values or a {@link dev.silkroute.net.DecodeException} out. May use {@code net} and the JDK.
 */
@NullMarked
package dev.silkroute.bgp;

import org.jspecify.annotations.NullMarked;
