package dev.silkroute.session;

import java.util.Locale;

/** The lanes of a collector's output. The records of a lane go to the Kafka topic {@code bmp.<lane>}. */
public enum LaneName {
    /** Route and peer events in the wire format of {@link dev.silkroute.route.RouteBatch}. */
    ROUTES,
    /** JSON: sessions, Initiations, Terminations, Peer Ups, Peer Downs. */
    PEERS,
    /** JSON: Statistics Reports. */
    STATS,
    /** JSON: Route Mirroring. */
    MIRROR,
    /** JSON: messages that cannot be decoded. */
    QUARANTINE;

    private final String text = name().toLowerCase(Locale.ROOT);

    public String text() {
        return text;
    }
}
