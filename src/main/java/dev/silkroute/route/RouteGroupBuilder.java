package dev.silkroute.route;

import dev.silkroute.bgp.PathMarking;

/**
 * Describes a group of routes that share everything but the NLRI, then adds it to the batch with {@link #announce} or
 * {@link #withdraw}. A {@link RouteBatchBuilder} has a single instance, which {@link RouteBatchBuilder#group} resets
 * and returns: finish one group before you start the next. Not thread-safe.
 */
public final class RouteGroupBuilder {
    private final RouteBatchBuilder batch;

    private int peer;
    private int family;
    private boolean pathIds;
    private boolean announcedForm;
    private boolean synthetic;
    private long sequence;
    private long routerTimeMicros;
    private long marking;

    RouteGroupBuilder(RouteBatchBuilder batch) {
        this.batch = batch;
    }

    RouteGroupBuilder reset(int newPeer, int newFamily) {
        peer = newPeer;
        family = newFamily;
        pathIds = false;
        announcedForm = false;
        synthetic = false;
        sequence = 0;
        routerTimeMicros = 0;
        marking = PathMarking.NONE;
        return this;
    }

    /**
     * Sets the position of the group in the session and the router's time, both 0 by default.
     *
     * @param firstSequence sequence of the first NLRI; the others follow one by one
     * @param routerTime microseconds since 1970, 0 if the router gave none
     */
    public RouteGroupBuilder at(long firstSequence, long routerTime) {
        sequence = firstSequence;
        routerTimeMicros = routerTime;
        return this;
    }

    /** Sets whether each NLRI is preceded by a path identifier (RFC 7911). */
    public RouteGroupBuilder pathIds(boolean present) {
        pathIds = present;
        return this;
    }

    /**
     * Sets whether withdrawn NLRI have the form of announced ones, as after treat-as-withdraw (RFC 7606). Announced
     * NLRI always have it.
     */
    public RouteGroupBuilder announcedForm(boolean present) {
        announcedForm = present;
        return this;
    }

    /** Sets whether the station generated the events, not the router. */
    public RouteGroupBuilder synthetic(boolean generated) {
        synthetic = generated;
        return this;
    }

    /** Sets the path marking of announced routes, see {@link PathMarking}. */
    public RouteGroupBuilder marking(long pathMarking) {
        marking = pathMarking;
        return this;
    }

    /**
     * Adds the group as announced.
     *
     * @param set index of the attribute set
     * @param count the exact number of NLRI in the bytes, which are encoded as in BGP
     */
    public void announce(int set, int count, byte[] bytes, int from, int to) {
        announcedForm = true;
        batch.routes(this, EventKind.ANNOUNCE, set, count, bytes, from, to);
    }

    /**
     * Adds the group as withdrawn.
     *
     * @param count the exact number of NLRI in the bytes, which are encoded as in BGP
     */
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
