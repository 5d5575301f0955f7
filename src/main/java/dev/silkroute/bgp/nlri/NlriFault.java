package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Fault;

/** The reasons why bytes are not an NLRI of their family. */
public enum NlriFault implements Fault {
    PATH_IDENTIFIER("path identifier runs over the end of the NLRI field", "RFC 7911, Section 3"),
    RUNS_OVER("NLRI runs over the end of its field", "RFC 4271, Section 4.3"),
    TOO_LONG("prefix length is larger than the address", "RFC 7606, Section 5.3"),
    LABELS("label stack does not end within the NLRI", "RFC 8277, Section 2.3"),
    NO_ROUTE_DISTINGUISHER("NLRI is too short for its route distinguisher", "RFC 4364, Section 4.3.4"),
    EVPN("EVPN route runs over the end of its field", "RFC 7432, Section 7"),
    EVPN_FIELDS("fields of the EVPN route do not fit its type and length", "RFC 7432, Section 7"),
    MCAST_VPN("MCAST-VPN route runs over the end of its field", "RFC 6514, Section 4"),
    FLOWSPEC("FlowSpec NLRI length does not fit", "RFC 8955, Section 4.1"),
    FLOWSPEC_ORDER("FlowSpec components are not in strictly increasing order", "RFC 8955, Section 4.2"),
    FLOWSPEC_PREFIX("FlowSpec prefix does not fit", "RFC 8956, Section 3.1"),
    FLOWSPEC_OPERATORS("FlowSpec operators run over the end of the NLRI", "RFC 8955, Section 4.2.1.1"),
    BGP_LS("BGP-LS NLRI runs over the end of its field", "RFC 9552, Section 5.2"),
    BGP_LS_DESCRIPTORS("BGP-LS descriptors do not fill the NLRI", "RFC 9552, Section 5.1"),
    RT_CONSTRAINT("route target NLRI length does not fit", "RFC 4684, Section 4"),
    SR_POLICY("SR policy NLRI length does not fit its family", "RFC 9830, Section 2.1"),
    VPLS("VPLS NLRI length does not fit", "RFC 4761, Section 3.2.2");

    /** Indexed by ordinal. */
    private static final NlriFault[] FAULTS = values();

    private final Description description;

    NlriFault(String reason, String section) {
        description = new Description(reason, section);
    }

    /** Returns a negative number, where an offset or a count is expected; {@link #of} is the inverse. */
    int asResult() {
        return ~ordinal();
    }

    static NlriFault of(int result) {
        return FAULTS[~result];
    }

    @Override
    public Description description() {
        return description;
    }
}
