package dev.silkroute.collector.sessions;

/**
 * The resources that are limited for each source address: the values of the label {@code quota} of {@code
 * bmp_quota_exceeded_total}.
 */
public enum Quota {
    /** Sessions at the same time; further connections are rejected. */
    SESSIONS("sessions-per-address"),
    /** BMP messages; above the rate, reading pauses. */
    MESSAGES("messages-per-second"),
    /** Bytes; above the rate, reading pauses. */
    BYTES("bytes-per-second"),
    /** Peer Up and Peer Down messages, each of which changes rows in the database; above the rate, reading pauses. */
    PEER_EVENTS("peer-events-per-second"),
    /** Announcements and withdrawals; above the rate, reading pauses. */
    ROUTES("routes-per-second");

    private final String text;

    Quota(String text) {
        this.text = text;
    }

    /** Returns the last part of the property's name, {@code silkroute.quota.…}. */
    public String text() {
        return text;
    }
}
