package dev.silkroute.bgp.open;

import dev.silkroute.net.Fault;

/** The reasons why an OPEN, which a Peer Up message contains twice, cannot be decoded. */
public enum OpenFault implements Fault {
    TRUNCATED("OPEN is truncated", "RFC 4271, Section 4.2"),
    MARKER("BGP marker is not all ones", "RFC 4271, Section 4.1"),
    LENGTH("OPEN length %s does not fit", "RFC 4271, Section 4.2"),
    TYPE("BGP message of type %s is not an OPEN", "RFC 4271, Section 4.2"),
    PARAMETERS("optional parameters do not fill the OPEN", "RFC 4271, Section 4.2");

    private final Description description;

    OpenFault(String reason, String section) {
        description = new Description(reason, section);
    }

    @Override
    public Description description() {
        return description;
    }
}
