package dev.silkroute.bgp.attribute;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.DecodeOutcome.Kind;

/**
 * Something that is wrong with a path attribute, and what RFC 7606 or the attribute's own specification requires. The
 * constants are the faults that any attribute can have; {@link Attribute} has those of its contents. Compared by
 * identity.
 */
public final class AttributeFault {
    static final AttributeFault FLAGS =
            new AttributeFault(Kind.TREAT_AS_WITHDRAW, "optional or transitive flag is wrong", "RFC 7606, Section 3.c");
    public static final AttributeFault UNRECOGNIZED_WELL_KNOWN = new AttributeFault(
            Kind.UNRECOGNIZED_WELL_KNOWN, "unrecognized well-known attribute", "RFC 4271, Section 6.3");
    public static final AttributeFault DUPLICATE =
            new AttributeFault(Kind.ATTRIBUTE_DISCARD, "attribute appears again", "RFC 7606, Section 3.g");
    public static final AttributeFault OVERRUN = new AttributeFault(
            Kind.TREAT_AS_WITHDRAW, "attribute runs over the end of the path attributes", "RFC 7606, Section 4");
    public static final AttributeFault MISSING_ORIGIN =
            new AttributeFault(Kind.TREAT_AS_WITHDRAW, "ORIGIN is missing", "RFC 7606, Section 3.d");
    public static final AttributeFault MISSING_AS_PATH =
            new AttributeFault(Kind.TREAT_AS_WITHDRAW, "AS_PATH is missing", "RFC 7606, Section 3.d");
    public static final AttributeFault MISSING_NEXT_HOP =
            new AttributeFault(Kind.MISSING_NEXT_HOP, "NEXT_HOP is missing", "RFC 7606, Section 3.d");
    static final AttributeFault AS_PATH_TOO_LONG = new AttributeFault(
            Kind.TREAT_AS_WITHDRAW, "AS_PATH does not fit with four-octet AS numbers", "RFC 6793, Section 4.2.3");
    static final AttributeFault AIGP_FLAGS = new AttributeFault(
            Kind.ATTRIBUTE_DISCARD, "AIGP is not optional and non-transitive", "RFC 7311, Section 3.2");
    static final AttributeFault SRV6_SERVICE =
            new AttributeFault(Kind.TREAT_AS_WITHDRAW, "SRv6 service TLV is malformed", "RFC 9252, Section 7");

    private final Kind kind;
    private final String reason;
    private final String section;

    AttributeFault(Kind kind, String reason, String section) {
        this.kind = kind;
        this.reason = reason;
        this.section = section;
    }

    /** The consequence for the attribute and its routes. */
    public Kind kind() {
        return kind;
    }

    /** The rule that is violated. */
    public String section() {
        return section;
    }

    /** Returns the outcome for an attribute; {@code offset} is that of its value. */
    public DecodeOutcome outcome(int type, int offset) {
        return new DecodeOutcome(kind, type, reason, offset, section);
    }

    @Override
    public String toString() {
        return reason + " (" + section + ")";
    }
}
