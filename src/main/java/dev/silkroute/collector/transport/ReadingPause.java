package dev.silkroute.collector.transport;

/** Why the station does not read from any router. */
public enum ReadingPause {
    /** The data directory has little free space. */
    FREE_SPACE,
    /** The system clock is not plausible. */
    CLOCK
}
