package dev.silkroute.bgp.open;

import dev.silkroute.net.Bytes;

/**
 * One capability of an OPEN (RFC 5492), kept byte for byte. Codes: IANA "Capability Codes".
 *
 * @param malformed whether the value has not the form of its code, or was cut by the end of its parameter; it then
 * means nothing
 */
public record Capability(int code, Bytes value, boolean malformed) {
    public static final int MULTIPROTOCOL = 1;
    public static final int ROUTE_REFRESH = 2;
    public static final int OUTBOUND_ROUTE_FILTERING = 3;
    public static final int EXTENDED_NEXT_HOP = 5;
    public static final int EXTENDED_MESSAGE = 6;
    public static final int BGPSEC = 7;
    public static final int MULTIPLE_LABELS = 8;
    public static final int BGP_ROLE = 9;
    public static final int GRACEFUL_RESTART = 64;
    public static final int FOUR_OCTET_AS = 65;
    public static final int ADD_PATH = 69;
    public static final int ENHANCED_ROUTE_REFRESH = 70;
    public static final int LONG_LIVED_GRACEFUL_RESTART = 71;
    public static final int FQDN = 73;
    public static final int SOFTWARE_VERSION = 75;
    public static final int PATHS_LIMIT = 76;

    public Capability(int code, Bytes value) {
        this(code, value, !CapabilityForm.fits(code, value));
    }

    /** Whether this is a well-formed capability of this code. */
    public boolean means(int wanted) {
        return code == wanted && !malformed;
    }

    public String name() {
        return switch (code) {
            case MULTIPROTOCOL -> "multiprotocol";
            case ROUTE_REFRESH -> "route-refresh";
            case OUTBOUND_ROUTE_FILTERING -> "outbound-route-filtering";
            case 4 -> "multiple-routes-to-a-destination";
            case EXTENDED_NEXT_HOP -> "extended-next-hop";
            case EXTENDED_MESSAGE -> "extended-message";
            case BGPSEC -> "bgpsec";
            case MULTIPLE_LABELS -> "multiple-labels";
            case BGP_ROLE -> "bgp-role";
            case GRACEFUL_RESTART -> "graceful-restart";
            case FOUR_OCTET_AS -> "four-octet-as";
            case 66 -> "dynamic-capability-old";
            case 67 -> "dynamic-capability";
            case 68 -> "multisession";
            case ADD_PATH -> "add-path";
            case ENHANCED_ROUTE_REFRESH -> "enhanced-route-refresh";
            case LONG_LIVED_GRACEFUL_RESTART -> "long-lived-graceful-restart";
            case 72 -> "routing-policy-distribution";
            case FQDN -> "fqdn";
            case 74 -> "bfd";
            case SOFTWARE_VERSION -> "software-version";
            case PATHS_LIMIT -> "paths-limit";
            case 77 -> "link-local-next-hop";
            case 128 -> "route-refresh-old";
            case 129 -> "outbound-route-filtering-old-129";
            case 130 -> "outbound-route-filtering-old-130";
            case 131 -> "multisession-old";
            case 184 -> "fqdn-old";
            case 185 -> "operational-message-old";
            default -> "capability-" + code;
        };
    }
}
