package dev.silkroute.bgp.update;

import dev.silkroute.bgp.attribute.AttributeFault;
import dev.silkroute.net.Fault;

/**
 * The reasons why an UPDATE cannot be decoded, except for those of its NLRI. Malformed attributes are {@link
 * AttributeFault}s and do not prevent decoding.
 */
public enum UpdateFault implements Fault {
    HEADER("BGP header is truncated", "RFC 4271, Section 4.1"),
    MARKER("BGP marker is not all ones", "RFC 4271, Section 4.1"),
    LENGTH("BGP length %s does not fit into %s bytes", "RFC 4271, Section 4.1"),
    TYPE("BGP message of type %s is not an UPDATE", "RFC 7854, Section 4.6"),
    FIELD_LENGTH("message ends within a length", "RFC 4271, Section 4.3"),
    WITHDRAWN_ROUTES("withdrawn routes run over the end of the message", "RFC 4271, Section 4.3"),
    PATH_ATTRIBUTES("path attributes run over the end of the message", "RFC 4271, Section 4.3"),
    NO_NLRI("path attributes overrun and no NLRI was located", AttributeFault.OVERRUN.section()),
    SECOND_MP("second MP_REACH_NLRI or MP_UNREACH_NLRI", AttributeFault.DUPLICATE.section()),
    SHORT_MP_REACH("MP_REACH_NLRI is shorter than 5 bytes", "RFC 7606, Section 5.3"),
    SHORT_MP_UNREACH("MP_UNREACH_NLRI is shorter than 3 bytes", "RFC 7606, Section 5.3"),
    NEXT_HOP_OVERRUN("next hop runs over the end of MP_REACH_NLRI", "RFC 7606, Section 5.3"),
    NEXT_HOP_LENGTH("next hop of %s bytes for %s", "RFC 7606, Section 7.11");

    private final Description description;

    UpdateFault(String reason, String section) {
        description = new Description(reason, section);
    }

    @Override
    public Description description() {
        return description;
    }
}
