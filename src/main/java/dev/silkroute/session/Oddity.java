package dev.silkroute.session;

/** What routers do that BMP doesn't foresee, or that says of itself that something is missing. Each is counted; none is an error. */
public enum Oddity {
    /** A name that an open session from another address has: the router goes by another one. */
    ROUTER_NAME_TAKEN("router-name-taken"),
    /** A Peer Up for a peer and view that is up. */
    REPEATED_PEER_UP("repeated-peer-up"),
    /** A Peer Down for a peer that is down already. */
    REPEATED_PEER_DOWN("repeated-peer-down"),
    /** A Peer Down for a peer that never came up in the session. */
    PEER_DOWN_WITHOUT_PEER_UP("peer-down-without-peer-up"),
    /** Route Monitoring of a peer that isn't up. */
    ROUTES_WITHOUT_PEER_UP("routes-without-peer-up"),
    /** A table that went quiet without an End-of-RIB: the station says it. */
    MISSING_END_OF_RIB("missing-end-of-rib"),
    /** A per-peer header with a million microseconds or more. */
    ODD_ROUTER_TIME("odd-router-time"),
    /** Route Mirroring that says that messages were lost. */
    MIRRORED_MESSAGES_LOST("mirrored-messages-lost"),
    /** A mirrored BGP message with a fault. */
    MIRRORED_FAULT("mirrored-fault"),
    /** Version 4: a TLV in Route Monitoring of a type that nobody has told us about. */
    UNKNOWN_TLV("unknown-tlv"),
    /** Version 4: a TLV in Route Monitoring whose value can't be of its type, that points to no NLRI, or that the batch has no room for. */
    IGNORED_TLV("ignored-tlv");

    private final String text;

    Oddity(String text) {
        this.text = text;
    }

    /** The name in metrics. */
    public String text() {
        return text;
    }
}
