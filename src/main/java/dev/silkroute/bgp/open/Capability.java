package dev.silkroute.bgp.open;

import dev.silkroute.net.Bytes;

/**
 * One capability of an OPEN (RFC 5492), kept byte for byte. The constants are the codes that classes refer to;
 * {@link CapabilityType} describes all.
 *
 * @param malformed whether the value does not have the form of its code, or was truncated by the end of its parameter;
 * a malformed capability is not in effect
 */
public record Capability(int code, Bytes value, boolean malformed) {
    public static final int MULTIPROTOCOL = 1;
    public static final int ROUTE_REFRESH = 2;
    public static final int EXTENDED_NEXT_HOP = 5;
    public static final int EXTENDED_MESSAGE = 6;
    public static final int MULTIPLE_LABELS = 8;
    public static final int BGP_ROLE = 9;
    public static final int GRACEFUL_RESTART = 64;
    public static final int FOUR_OCTET_AS = 65;
    public static final int ADD_PATH = 69;
    public static final int ENHANCED_ROUTE_REFRESH = 70;
    public static final int LONG_LIVED_GRACEFUL_RESTART = 71;
    public static final int FQDN = 73;

    public Capability(int code, Bytes value) {
        this(code, value, !CapabilityType.fits(code, value));
    }

    /** Returns whether this is a well-formed capability with this code. */
    public boolean isValid(int wanted) {
        return code == wanted && !malformed;
    }

    /** The name in JSON, {@code capability-N} for a code without one. */
    public String name() {
        return CapabilityType.label(code);
    }
}
