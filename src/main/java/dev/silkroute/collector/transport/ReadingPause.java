package dev.silkroute.collector.transport;

/** The reasons for which the station reads from no router. */
public enum ReadingPause {
    /** The data directory has little free space. */
    FREE_SPACE,
    /** The system clock is not plausible. */
    CLOCK
}
