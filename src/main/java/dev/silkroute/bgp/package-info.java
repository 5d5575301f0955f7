/**
 * BGP as a monitoring station meets it. What the rooms below share: RIB views, outcomes, the context that UPDATEs are
 * decoded in.
 *
 * <p>Decoders in all of them are pure: bytes and context in, values or a {@link dev.silkroute.net.DecodeException} out.
 * They may use {@code net} and the JDK.
 */
@NullMarked
package dev.silkroute.bgp;

import org.jspecify.annotations.NullMarked;
