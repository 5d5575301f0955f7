package dev.silkroute.bgp;

/** Names of the peer types of BMP (RFC 7854, Section 4.2; RFC 9069, Section 4.1). */
public final class PeerType {
    private PeerType() {}

    /** Returns the name that users see, {@code type-N} for an unassigned type. */
    public static String text(int peerType) {
        return switch (peerType) {
            case 0 -> "global";
            case 1 -> "rd";
            case 2 -> "local";
            case 3 -> "loc-rib";
            default -> "type-" + peerType;
        };
    }
}
