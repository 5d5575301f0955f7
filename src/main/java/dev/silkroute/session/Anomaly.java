package dev.silkroute.session;

/**
 * Behaviour of routers that BMP does not provide for, and reports of routers that something is missing. The station
 * counts each occurrence in {@code bmp_anomalies_total} and continues; none is an error.
 */
public enum Anomaly {
    /** An open session from another address has the router's name: another name is used for it. */
    ROUTER_NAME_TAKEN("router-name-taken"),
    /** An Initiation after the session's first: ignored. */
    REPEATED_INITIATION("repeated-initiation"),
    /** A Peer Up for a peer and view that is up. */
    REPEATED_PEER_UP("repeated-peer-up"),
    /** A Peer Down for a peer that is down already. */
    REPEATED_PEER_DOWN("repeated-peer-down"),
    /** A Peer Down for a peer that has not been up in the session. */
    PEER_DOWN_WITHOUT_PEER_UP("peer-down-without-peer-up"),
    /** Route Monitoring for a peer that is not up. */
    ROUTES_WITHOUT_PEER_UP("routes-without-peer-up"),
    /** A table for which announcements have ceased without End-of-RIB: the station generates one. */
    MISSING_END_OF_RIB("missing-end-of-rib"),
    /** A per-peer header with a million microseconds or more. */
    INVALID_ROUTER_TIME("invalid-router-time"),
    /** Route Mirroring in which the router reports that messages have been lost (RFC 7854, Section 4.7). */
    MIRRORED_MESSAGES_LOST("mirrored-messages-lost"),
    /** A malformed BGP message in Route Mirroring. */
    MIRRORED_FAULT("mirrored-fault"),
    /** BMP version 4: a TLV of an unknown type in Route Monitoring. */
    UNKNOWN_TLV("unknown-tlv"),
    /**
     * BMP version 4: a TLV in Route Monitoring with an invalid value, for an NLRI that does not exist, or beyond a
     * batch's limit.
     */
    IGNORED_TLV("ignored-tlv");

    private final String text;

    Anomaly(String text) {
        this.text = text;
    }

    /** Returns the value of the metric's label {@code anomaly}. */
    public String text() {
        return text;
    }
}
