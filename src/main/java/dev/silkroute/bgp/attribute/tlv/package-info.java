/**
 * Path attributes that consist of TLVs, and PMSI Tunnel: validation and JSON. A TLV is one row of its class's
 * {@code TlvRegistry}. May use {@code net} and Jackson's streaming API.
 */
@NullMarked
package dev.silkroute.bgp.attribute.tlv;

import org.jspecify.annotations.NullMarked;
