package dev.silkroute.alert;

import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.net.LongSet;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.state.RouterSession;
import java.util.List;

/**
 * The routes of a peer in one RIB view and family, as a number. After a reconnection, routes that the new session has
 * not announced remain until the End-of-RIB, as in {@code v_rib}. Not thread-safe.
 *
 * <p>It stores a keyed hash of 64 bits for each route: two of a million routes have the same one with a probability of
 * 1 in 37 million, and a router cannot choose such routes.
 */
final class CountedTable {
    private final RouteSource source;
    private final int family;
    private final VantagePoint vantagePoint;
    private final LongSet routes = new LongSet();
    /** Routes of older sessions, which the newest one has not announced yet. */
    private final LongSet unconfirmed = new LongSet();

    /** The numbers of routes that the table is part of. */
    private final List<TableSize> sizes;

    private boolean up;
    private boolean truncated;
    private long session = RouterSession.NONE;
    /** The time when the peer came up or went down. */
    private long since;
    /** The newest session with an End-of-RIB of the table. */
    private long completeSession = RouterSession.NONE;
    // The newest event that has changed the number of routes.
    private String lastEvent = Evidence.PEER_UP;
    private long lastSession;
    private long lastSequence = Evidence.NO_SEQUENCE;
    private long lastReceivedAt;

    CountedTable(RouteSource source, int family, VantagePoint vantagePoint, List<TableSize> sizes) {
        this.source = source;
        this.family = family;
        this.vantagePoint = vantagePoint;
        this.sizes = List.copyOf(sizes);
    }

    String router() {
        return source.router();
    }

    List<TableSize> sizes() {
        return sizes;
    }

    /** Takes over that its number of routes, or whether it is complete, may have changed at a time. */
    void changed(long at) {
        sizes.forEach(size -> size.changed(at));
    }

    /** Returns whether the table is that of a peer, or of any view of it. */
    boolean isOf(String router, PeerEntry peer, boolean allViews) {
        return source.isOf(router, peer, allViews);
    }

    boolean isOf(int ofFamily) {
        return family == ofFamily;
    }

    int size() {
        return routes.size() + unconfirmed.size();
    }

    boolean isUp() {
        return up;
    }

    long since() {
        return since;
    }

    /** Returns whether a session has mentioned the table as that of a peer that is up. */
    boolean isMentionedBy(long bySession) {
        return up && session == bySession;
    }

    /** Returns whether its number of routes is known, and complete in the session that has mentioned it. */
    boolean isComplete() {
        return up && !truncated && completeSession == session;
    }

    /**
     * A session begins to send the table, or to send it again.
     *
     * @param repeats whether it repeats what it announces unchanged, so that its End-of-RIB ends the other routes
     */
    void begin(long bySession, long at, boolean repeats) {
        if (repeats) {
            unconfirmed.addAll(routes);
            routes.clear();
            completeSession = RouterSession.NONE;
        } else {
            completeSession = bySession;
        }
        up = true;
        session = bySession;
        since = at;
    }

    /** Takes over that the newest session has sent the whole table. */
    void completeIn(long newestSession) {
        session = newestSession;
        completeSession = newestSession;
    }

    /** Takes over that a session has sent the End-of-RIB, which may not be the newest one. */
    void completedBy(long bySession) {
        completeSession = Math.max(completeSession, bySession);
    }

    /** Removes the routes that the session has not announced; returns their number. */
    int end() {
        int ended = unconfirmed.size();
        unconfirmed.clear();
        completeSession = session;
        return ended;
    }

    /** Removes all routes, because the peer is down; returns their number. */
    int down(long bySession, long at) {
        int ended = size();
        routes.clear();
        unconfirmed.clear();
        up = false;
        truncated = false;
        session = bySession;
        since = at;
        return ended;
    }

    /** Returns by how much the number of routes has changed. */
    int announce(NlriReader nlri) {
        long hash = hash(nlri);
        int known = unconfirmed.size() > 0 && unconfirmed.remove(hash) ? 1 : 0;
        return (routes.add(hash) ? 1 : 0) - known;
    }

    /** Returns by how much the number of routes has changed. */
    int withdraw(NlriReader nlri) {
        long hash = hash(nlri);
        return routes.remove(hash) || unconfirmed.remove(hash) ? -1 : 0;
    }

    /** Returns the hash of a unicast route: of its prefix and path identifier. */
    private static long hash(NlriReader nlri) {
        long path = nlri.hasPathId() ? 1L << 32 | Integer.toUnsignedLong(nlri.pathId()) : 0;
        long hash = KeyedHash.of(nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength(), path);
        return hash == 0 ? 1 : hash;
    }

    /** Takes over that a route could not be counted. */
    void truncate() {
        truncated = true;
    }

    void setLast(String event, long inSession, long sequence, long receivedAt) {
        lastEvent = event;
        lastSession = inSession;
        lastSequence = sequence;
        lastReceivedAt = receivedAt;
    }

    /** Returns the newest event that has changed the number of routes. */
    Evidence last() {
        return Evidence.of(vantagePoint, lastEvent, lastSession, lastSequence, lastReceivedAt);
    }
}
