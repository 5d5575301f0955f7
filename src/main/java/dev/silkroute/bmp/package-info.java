/**
 * The BGP Monitoring Protocol, versions 3 and 4: framing, headers and the bodies of its messages (RFC 7854, RFC 8671,
 * RFC 9069, RFC 9736, RFC 9972; draft-ietf-grow-bmp-tlv, draft-ietf-grow-bmp-path-marking-tlv). Every message contains
 * its version.
 *
 * <p>Decoders are pure functions of their bytes. Their {@code from} is the first byte of a body: after the common
 * header, and after the per-peer header where the message has one. May use {@code bgp}, {@code net} and the JDK.
 */
@NullMarked
package dev.silkroute.bmp;

import org.jspecify.annotations.NullMarked;
