package dev.silkroute.bgp.open;

import dev.silkroute.net.Bytes;

/** One capability of an OPEN (RFC 5492), decoded on demand and kept byte for byte. Codes: IANA "Capability Codes". */
public record Capability(int code, Bytes value) {
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

    public String name() {
        return switch (code) {
            case MULTIPROTOCOL -> "multiprotocol";
            case ROUTE_REFRESH -> "route-refresh";
            case 3 -> "outbound-route-filtering";
            case EXTENDED_NEXT_HOP -> "extended-next-hop";
            case EXTENDED_MESSAGE -> "extended-message";
            case 7 -> "bgpsec";
            case MULTIPLE_LABELS -> "multiple-labels";
            case BGP_ROLE -> "bgp-role";
            case GRACEFUL_RESTART -> "graceful-restart";
            case FOUR_OCTET_AS -> "four-octet-as";
            case 67 -> "dynamic-capability";
            case 68 -> "multisession";
            case ADD_PATH -> "add-path";
            case ENHANCED_ROUTE_REFRESH -> "enhanced-route-refresh";
            case LONG_LIVED_GRACEFUL_RESTART -> "long-lived-graceful-restart";
            case 72 -> "routing-policy-distribution";
            case FQDN -> "fqdn";
            case 76 -> "paths-limit";
            default -> "capability-" + code;
        };
    }
}
