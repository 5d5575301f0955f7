package dev.silkroute.route;

import dev.silkroute.bgp.PathMarking;

/**
 * Routes that go into a batch together: first what is true of all of them, then which they are. A batch's builder has one, which it hands
 * out again and again: to be used up before the next is asked for. Not thread-safe.
 */
public final class RouteGroup {
    private final RouteBatchBuilder batch;

    private int peer;
    private int family;
    private boolean pathIds;
    private boolean announcedForm;
    private boolean synthetic;
    private long sequence;
    private long routerTimeMicros;
    private long marking;

    RouteGroup(RouteBatchBuilder batch) {
        this.batch = batch;
    }

    RouteGroup of(int ofPeer, int ofFamily) {
        peer = ofPeer;
        family = ofFamily;
        pathIds = false;
        announcedForm = false;
        synthetic = false;
        sequence = 0;
        routerTimeMicros = 0;
        marking = PathMarking.NONE;
        return this;
    }

    /**
     * When they came, 0 for both if it isn't said.
     *
     * @param sequenceOfFirst of the first NLRI; the others follow it
     * @param routerTime microseconds since 1970, 0 if the router gave none
     */
    public RouteGroup at(long sequenceOfFirst, long routerTime) {
        sequence = sequenceOfFirst;
        routerTimeMicros = routerTime;
        return this;
    }

    /** Whether each NLRI has a path identifier before it. */
    public RouteGroup pathIds(boolean are) {
        pathIds = are;
        return this;
    }

    /** Whether NLRI of a withdrawal have the form of announcements: so it is after treat-as-withdraw (RFC 7606). Those of announcements always have. */
    public RouteGroup announcedForm(boolean is) {
        announcedForm = is;
        return this;
    }

    /** Whether the station makes these events, not the router. */
    public RouteGroup synthetic(boolean is) {
        synthetic = is;
        return this;
    }

    /** How the router has marked what it announces, see {@link PathMarking}. */
    public RouteGroup marking(long is) {
        marking = is;
        return this;
    }

    /**
     * Adds them as announced, NLRI as BGP writes them.
     *
     * @param set the attribute set's index
     * @param count how many NLRI the bytes hold: must be exact
     */
    public void announce(int set, int count, byte[] bytes, int from, int to) {
        announcedForm = true;
        batch.routes(this, EventKind.ANNOUNCE, set, count, bytes, from, to);
    }

    /** Adds them as withdrawn; likewise. */
    public void withdraw(int count, byte[] bytes, int from, int to) {
        marking = PathMarking.NONE;
        batch.routes(this, EventKind.WITHDRAW, WireFormat.NO_SET, count, bytes, from, to);
    }

    int peer() {
        return peer;
    }

    int family() {
        return family;
    }

    long sequence() {
        return sequence;
    }

    long routerTimeMicros() {
        return routerTimeMicros;
    }

    long marking() {
        return marking;
    }

    int flags() {
        return (pathIds ? WireFormat.FLAG_PATH_IDS : 0)
                | (announcedForm ? WireFormat.FLAG_ANNOUNCED_FORM : 0)
                | (synthetic ? WireFormat.FLAG_SYNTHETIC : 0)
                | (PathMarking.isMarked(marking) ? WireFormat.FLAG_MARKING : 0)
                | (PathMarking.hasReason(marking) ? WireFormat.FLAG_REASON : 0);
    }
}
