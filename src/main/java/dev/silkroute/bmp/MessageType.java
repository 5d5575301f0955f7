package dev.silkroute.bmp;

import org.jspecify.annotations.Nullable;

/** IANA "BMP Message Types" (RFC 7854, Section 10.1). */
public enum MessageType {
    ROUTE_MONITORING(0, "route-monitoring", true),
    STATISTICS_REPORT(1, "statistics-report", true),
    PEER_DOWN(2, "peer-down", true),
    PEER_UP(3, "peer-up", true),
    INITIATION(4, "initiation", false),
    TERMINATION(5, "termination", false),
    ROUTE_MIRRORING(6, "route-mirroring", true);

    private static final MessageType[] TYPES = values();

    private final int code;
    private final String text;
    private final boolean perPeerHeader;

    MessageType(int code, String text, boolean perPeerHeader) {
        this.code = code;
        this.text = text;
        this.perPeerHeader = perPeerHeader;
    }

    public int code() {
        return code;
    }

    public String text() {
        return text;
    }

    public boolean hasPerPeerHeader() {
        return perPeerHeader;
    }

    /** Returns the type with this code, null for unknown types, which are not an error. */
    public static @Nullable MessageType of(int code) {
        return code >= 0 && code < TYPES.length ? TYPES[code] : null;
    }
}
