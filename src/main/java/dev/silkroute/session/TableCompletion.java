package dev.silkroute.session;

/**
 * Generates End-of-RIB for routers that do not send it: for a table for which announcements have ceased, and for all
 * tables of a peer some time after its Peer Up. The generated events are marked as synthetic.
 */
final class TableCompletion {
    /**
     * Maximum number of events generated in one batch, not counting those of one more peer. The tables of thousands of
     * peers together are more than a batch can hold; the rest follows with the next one.
     */
    private static final int MAX_EVENTS = 1 << 14;

    private final TableDumpLimits limits;
    private final PeerTable peers;
    private final RouteMonitoringDecoder routes;
    private volatile boolean pending = true;
    private long nextCheckMicros;

    TableCompletion(TableDumpLimits limits, PeerTable peers, RouteMonitoringDecoder routes) {
        this.limits = limits;
        this.peers = peers;
        this.routes = routes;
    }

    /**
     * Returns whether a table may still have to be completed, so that {@link #check} must be called periodically.
     * Thread-safe.
     */
    boolean isPending() {
        return pending;
    }

    /** Messages have been received, which may have begun tables. */
    void messagesReceived() {
        pending = true;
    }

    /**
     * Generates what is due, at most once per interval.
     *
     * @param nextSequence sequence of the message after the last one. The events get the number before it, which the
     *     last message left free unless it had 65,536 events.
     */
    void check(DecodedBatch decoded, long nowMicros, long nextSequence) {
        if (nowMicros < nextCheckMicros) {
            return;
        }
        nextCheckMicros = nowMicros + limits.intervalMicros();
        boolean isPending = false;
        int events = 0;
        for (MonitoredPeer peer : peers.all()) {
            if (peer.isComplete()) {
                continue;
            }
            if (events >= MAX_EVENTS) {
                isPending = true;
                nextCheckMicros = nowMicros;
                break;
            }
            events += complete(peer, decoded, nowMicros, nextSequence - 1);
            isPending |= !peer.isComplete();
        }
        pending = isPending;
    }

    /** @return the number of events generated */
    private int complete(MonitoredPeer peer, DecodedBatch decoded, long nowMicros, long sequence) {
        int events = 0;
        for (TableDump table : peer.completeQuiet(nowMicros, limits.quietMicros())) {
            decoded.count(Anomaly.MISSING_END_OF_RIB);
            routes.endOfRib(peer, table.view(), table.family(), sequence);
            events++;
        }
        if (peer.completeAll(nowMicros, limits.longestMicros())) {
            routes.endOfRib(peer, peer.anyView(), 0, sequence);
            events++;
        }
        return events;
    }
}
