package dev.silkroute.collector.sessions;

/**
 * The limits for the sessions of one source address together. 0 stands for no limit.
 *
 * @param sessions sessions and pending connections at the same time
 * @param messages BMP messages per second
 * @param bytes bytes per second
 * @param peerEvents Peer Up and Peer Down messages per second
 * @param routes announcements and withdrawals per second
 */
public record QuotaLimits(int sessions, long messages, long bytes, long peerEvents, long routes) {
    public static final QuotaLimits NONE = new QuotaLimits(0, 0, 0, 0, 0);

    public QuotaLimits {
        if (sessions < 0 || messages < 0 || bytes < 0 || peerEvents < 0 || routes < 0) {
            throw new IllegalArgumentException("a quota must not be negative");
        }
    }

    long of(Quota quota) {
        return switch (quota) {
            case SESSIONS -> sessions;
            case MESSAGES -> messages;
            case BYTES -> bytes;
            case PEER_EVENTS -> peerEvents;
            case ROUTES -> routes;
        };
    }
}
