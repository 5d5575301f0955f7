package dev.silkroute.collector.sessions;

/** The reasons for which a session releases its dump slot: label {@code reason} of the metric. */
public enum DumpEnd {
    /** End-of-RIB has been received for the tables of all peers that are up. */
    END_OF_RIB("end-of-rib"),
    /** The router sent little for some time. */
    QUIET("quiet"),
    /** The longest time has passed. */
    AT_LATEST("at-latest"),
    /** The session has ended, or the router has opened another one. */
    SESSION_ENDED("session-ended");

    private final String text;

    DumpEnd(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
