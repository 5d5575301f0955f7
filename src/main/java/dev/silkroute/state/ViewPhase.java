package dev.silkroute.state;

/**
 * A peer in one RIB view: the newest session that mentioned it, and whether the view holds routes.
 *
 * <p>A session mentions all views of a peer with a Peer Up or an End-of-RIB, and one view with an announcement. From
 * then on routes that older sessions announce or withdraw in the view are ignored. A Peer Down or a timeout takes
 * {@link Populated} to {@link Empty}: this transition ends all routes of the view, and whoever stores the phase
 * withdraws them.
 */
public sealed interface ViewPhase {
    /** No session has mentioned the view. */
    ViewPhase UNKNOWN = new Empty(RouterSession.NONE);

    /** The newest session that mentioned the view, {@link RouterSession#NONE} if there was none. */
    long session();

    /** A Peer Up or End-of-RIB of the peer. */
    ViewPhase mentioned(long session);

    /** An announcement in the view. The route counts only if the view {@link #accepts} the session. */
    ViewPhase announced(long session);

    /** A Peer Down that covers the view. */
    ViewPhase peerDown(long session);

    /** A check of the timeouts. */
    ViewPhase checked(RouterSession router, StateTimeouts timeouts, long now);

    /**
     * Returns whether routes that the session announces or withdraws count: no newer session has mentioned the view.
     */
    default boolean accepts(long session) {
        return session >= session();
    }

    /**
     * Returns whether the view may hold routes of sessions before this one, which its End-of-RIB purges. False also if
     * a newer session has mentioned the view, as this one no longer decides then.
     */
    boolean mayHoldOlderThan(long session);

    /** Returns whether every route of the view was announced or confirmed by the session or a newer one. */
    boolean beganIn(long session);

    /** Returns whether the phase has become {@link Empty}: the routes of the view end. */
    default boolean endsRoutes(ViewPhase next) {
        return this instanceof Populated && next instanceof Empty;
    }

    /** The view holds no routes: none has been announced, or all have ended. */
    record Empty(long session) implements ViewPhase {
        @Override
        public ViewPhase mentioned(long by) {
            return by > session ? new Empty(by) : this;
        }

        @Override
        public ViewPhase announced(long by) {
            return by >= session ? toPopulated(by) : this;
        }

        @Override
        public ViewPhase peerDown(long by) {
            return this;
        }

        @Override
        public ViewPhase checked(RouterSession router, StateTimeouts timeouts, long now) {
            return this;
        }

        @Override
        public boolean mayHoldOlderThan(long other) {
            return false;
        }

        @Override
        public boolean beganIn(long other) {
            return false;
        }

        public Populated toPopulated(long by) {
            return new Populated(by, by);
        }
    }

    /**
     * The view holds routes.
     *
     * @param since the session of the first announcement; no route in the view is of an older one
     */
    record Populated(long session, long since) implements ViewPhase {
        @Override
        public ViewPhase mentioned(long by) {
            return by > session ? new Populated(by, since) : this;
        }

        @Override
        public ViewPhase announced(long by) {
            return mentioned(by);
        }

        @Override
        public ViewPhase peerDown(long by) {
            return accepts(by) ? toEmpty(by) : this;
        }

        @Override
        public ViewPhase checked(RouterSession router, StateTimeouts timeouts, long now) {
            return timeouts.expired(router, session, now) ? toEmpty(Math.max(session, router.id())) : this;
        }

        @Override
        public boolean mayHoldOlderThan(long other) {
            return since < other && accepts(other);
        }

        @Override
        public boolean beganIn(long other) {
            return since >= other;
        }

        public Empty toEmpty(long by) {
            return new Empty(by);
        }
    }
}
