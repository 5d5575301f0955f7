package dev.silkroute.bgp.open;

import dev.silkroute.net.Bytes;

/** An optional parameter of an OPEN other than capabilities, kept byte for byte (RFC 4271, Section 4.2). */
public record OptionalParameter(int type, Bytes value) {}
