package dev.silkroute.bgp.nlri;

import dev.silkroute.net.DecodeException;

/** Why bytes are no NLRI of their family. */
enum NlriFault {
    PATH_IDENTIFIER("path identifier runs over the end of the NLRI field", "RFC 7911, Section 3"),
    RUNS_OVER("NLRI runs over the end of its field", "RFC 4271, Section 4.3"),
    TOO_LONG("prefix length is larger than the address", "RFC 7606, Section 5.3"),
    LABELS("label stack does not end within the NLRI", "RFC 8277, Section 2.3"),
    NO_ROUTE_DISTINGUISHER("NLRI is too short for its route distinguisher", "RFC 4364, Section 4.3.4"),
    EVPN("EVPN route runs over the end of its field", "RFC 7432, Section 7"),
    FLOWSPEC("FlowSpec NLRI length does not fit", "RFC 8955, Section 4.1"),
    BGP_LS("BGP-LS NLRI runs over the end of its field", "RFC 9552, Section 5.2"),
    RT_CONSTRAINT("route target NLRI length does not fit", "RFC 4684, Section 4");

    private static final NlriFault[] FAULTS = values();

    private final String reason;
    private final String section;

    NlriFault(String reason, String section) {
        this.reason = reason;
        this.section = section;
    }

    /** A negative number that {@link #of} reads back, where an offset or a count is expected. */
    int asResult() {
        return ~ordinal();
    }

    static NlriFault of(int result) {
        return FAULTS[~result];
    }

    DecodeException at(int offset) {
        return new DecodeException(reason, offset, section);
    }
}
