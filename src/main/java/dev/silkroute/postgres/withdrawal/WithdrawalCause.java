package dev.silkroute.postgres.withdrawal;

/** The reasons for which the station withdraws a route for its router. */
public enum WithdrawalCause {
    /** Its peer went down. */
    PEER_DOWN("peer-down"),
    /** Its table was sent again without it. */
    END_OF_RIB("end-of-rib"),
    /** Its router reconnected and sent no event for its peer in time. */
    RESYNC_TIMEOUT("resync-timeout"),
    /** Its router did not reconnect in time. */
    STALE_TIMEOUT("stale-timeout");

    private final String text;

    WithdrawalCause(String text) {
        this.text = text;
    }

    /** Returns the value of the metric label {@code cause}. */
    public String text() {
        return text;
    }
}
