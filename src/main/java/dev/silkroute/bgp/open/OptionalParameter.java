package dev.silkroute.bgp.open;

import dev.silkroute.net.Bytes;

/** An optional parameter of an OPEN that is not the one for capabilities, kept as it came (RFC 4271, Section 4.2). */
public record OptionalParameter(int type, Bytes value) {}
