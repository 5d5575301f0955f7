package dev.silkroute.postgres.withdrawal;

/** Why the station withdraws a route for its router. */
public enum WithdrawalCause {
    /** Its peer went down. */
    PEER_DOWN("peer-down"),
    /** Its table was sent anew without it. */
    END_OF_RIB("end-of-rib"),
    /** Its router came back and did not speak of its peer. */
    UNMENTIONED("unmentioned"),
    /** Its router stayed away. */
    AWAY("away");

    private final String text;

    WithdrawalCause(String text) {
        this.text = text;
    }

    /** As meters have it. */
    public String text() {
        return text;
    }
}
