package dev.silkroute.bgp.attribute;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bgp.Outcome.Kind;

/** What can be wrong with a path attribute, and what RFC 7606 and its successors say to do about it. */
public enum AttributeFault {
    FLAGS(Kind.TREAT_AS_WITHDRAW, "optional or transitive flag is wrong", "RFC 7606, Section 3.c"),
    ORIGIN(Kind.TREAT_AS_WITHDRAW, "ORIGIN is not one byte of 0, 1 or 2", "RFC 7606, Section 7.1"),
    AS_PATH(Kind.TREAT_AS_WITHDRAW, "AS_PATH is malformed in both AS number sizes", "RFC 7606, Section 7.2"),
    AS_PATH_TOO_LONG(
            Kind.TREAT_AS_WITHDRAW, "AS_PATH does not fit with four-octet AS numbers", "RFC 6793, Section 4.2.3"),
    NEXT_HOP(Kind.TREAT_AS_WITHDRAW, "NEXT_HOP is not 4 bytes", "RFC 7606, Section 7.3"),
    MULTI_EXIT_DISC(Kind.TREAT_AS_WITHDRAW, "MULTI_EXIT_DISC is not 4 bytes", "RFC 7606, Section 7.4"),
    LOCAL_PREF(Kind.TREAT_AS_WITHDRAW, "LOCAL_PREF is not 4 bytes", "RFC 7606, Section 7.5"),
    ATOMIC_AGGREGATE(Kind.ATTRIBUTE_DISCARD, "ATOMIC_AGGREGATE is not empty", "RFC 7606, Section 7.6"),
    AGGREGATOR(Kind.ATTRIBUTE_DISCARD, "AGGREGATOR does not fit the AS number size", "RFC 7606, Section 7.7"),
    COMMUNITIES(Kind.TREAT_AS_WITHDRAW, "COMMUNITIES is no list of 4 bytes", "RFC 7606, Section 7.8"),
    ORIGINATOR_ID(Kind.TREAT_AS_WITHDRAW, "ORIGINATOR_ID is not 4 bytes", "RFC 7606, Section 7.9"),
    CLUSTER_LIST(Kind.TREAT_AS_WITHDRAW, "CLUSTER_LIST is no list of 4 bytes", "RFC 7606, Section 7.10"),
    EXTENDED_COMMUNITIES(
            Kind.TREAT_AS_WITHDRAW, "extended communities are no list of 8 bytes", "RFC 7606, Section 7.14"),
    AS4_PATH(Kind.ATTRIBUTE_DISCARD, "AS4_PATH is malformed", "RFC 6793, Section 6"),
    AS4_AGGREGATOR(Kind.ATTRIBUTE_DISCARD, "AS4_AGGREGATOR is not 8 bytes", "RFC 6793, Section 6"),
    PMSI_TUNNEL(Kind.TREAT_AS_WITHDRAW, "PMSI Tunnel has no identifier of its tunnel type", "RFC 6514, Section 5"),
    TUNNEL_ENCAPSULATION(
            Kind.TREAT_AS_WITHDRAW, "no tunnel, or TLVs that do not end with their tunnel", "RFC 9012, Section 13"),
    IPV6_EXTENDED_COMMUNITIES(
            Kind.TREAT_AS_WITHDRAW, "IPv6 extended communities are no list of 20 bytes", "RFC 7606, Section 7.15"),
    AIGP(Kind.ATTRIBUTE_DISCARD, "AIGP TLV is malformed", "RFC 7311, Section 3.2"),
    AIGP_FLAGS(Kind.ATTRIBUTE_DISCARD, "AIGP is not optional and non-transitive", "RFC 7311, Section 3.2"),
    BGP_LS(Kind.ATTRIBUTE_DISCARD, "BGP-LS TLV runs over the end", "RFC 9552, Section 8.2.2"),
    LARGE_COMMUNITIES(Kind.TREAT_AS_WITHDRAW, "large communities are no list of 12 bytes", "RFC 8092, Section 5"),
    ONLY_TO_CUSTOMER(Kind.TREAT_AS_WITHDRAW, "Only to Customer is not 4 bytes", "RFC 9234, Section 5"),
    PREFIX_SID(Kind.ATTRIBUTE_DISCARD, "Prefix-SID TLV runs over the end or has a wrong length", "RFC 8669, Section 6"),
    SRV6_SERVICE(Kind.TREAT_AS_WITHDRAW, "SRv6 service TLV is malformed", "RFC 9252, Section 7"),
    ATTR_SET(Kind.TREAT_AS_WITHDRAW, "ATTR_SET is no origin AS and whole attributes of it", "RFC 7606, Section 7.16"),
    UNRECOGNIZED_WELL_KNOWN(Kind.UNRECOGNIZED_WELL_KNOWN, "unrecognized well-known attribute", "RFC 4271, Section 6.3"),
    DUPLICATE(Kind.ATTRIBUTE_DISCARD, "attribute appears again", "RFC 7606, Section 3.g"),
    OVERRUN(Kind.TREAT_AS_WITHDRAW, "attribute runs over the end of the path attributes", "RFC 7606, Section 4"),
    MISSING_ORIGIN(Kind.TREAT_AS_WITHDRAW, "ORIGIN is missing", "RFC 7606, Section 3.d"),
    MISSING_AS_PATH(Kind.TREAT_AS_WITHDRAW, "AS_PATH is missing", "RFC 7606, Section 3.d"),
    MISSING_NEXT_HOP(Kind.MISSING_NEXT_HOP, "NEXT_HOP is missing", "RFC 7606, Section 3.d");

    private final Kind kind;
    private final String reason;
    private final String section;

    AttributeFault(Kind kind, String reason, String section) {
        this.kind = kind;
        this.reason = reason;
        this.section = section;
    }

    public Kind kind() {
        return kind;
    }

    public String section() {
        return section;
    }

    public Outcome outcome(int type, int offset) {
        return new Outcome(kind, type, reason, offset, section);
    }
}
