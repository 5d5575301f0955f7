package dev.silkroute.state;

/**
 * The newest BMP session of a monitored router. Only the newest one counts: events of older sessions change nothing.
 * They repeat those of the newest one if the router feeds several collectors, and can arrive late if it moves from one
 * collector to another. That remains so when the newest session ends: which of the events the older session has in
 * common with it is unknown, so the router has to begin another session.
 *
 * <p>While the session is {@link Up}, routes that it announced or confirmed are fresh. When it is {@link Down}, all
 * routes of the router are stale until a newer session announces them again or {@link StateTimeouts#staleMicros
 * stale-timeout} ends them.
 */
public sealed interface RouterSession {
    /** The ID before the first session: smaller than every session ID. */
    long NONE = Long.MIN_VALUE;

    /** No event of the router has been seen. */
    RouterSession UNKNOWN = new Unknown();

    /** ID of the newest session, {@link #NONE} if there was none. */
    long id();

    /** Collector of the newest session, empty if there was none. */
    String collector();

    /** Returns the time when the session came up or went down, from which timeouts count. */
    long since();

    /**
     * Session Up: the collector accepted a connection of the router.
     *
     * @param collectorStart ID of the collector's latest start, {@link #NONE} if unknown; sessions with a smaller ID
     *     are over
     * @param at time of the event
     */
    RouterSession sessionUp(long session, String collector, long collectorStart, long at);

    /** Session Down: the connection is closed, with or without a Termination message. */
    RouterSession sessionDown(long session, String collector, long at);

    /**
     * Any other event of a session. The first one of a newer session implies that it is up, in case its Session Up was
     * missed.
     *
     * @param collectorStart ID of the collector's latest start, {@link #NONE} if unknown; sessions with a smaller ID
     *     are over
     * @param at time of the event
     */
    RouterSession mentioned(long session, String collector, long collectorStart, long at);

    /**
     * A collector has started: its sessions with a smaller ID ended with its earlier run, which could not report it.
     */
    default RouterSession collectorStarted(String started, long collectorStart, long at) {
        return this;
    }

    default boolean isUp() {
        return false;
    }

    /** Returns whether the router has a newer session than this one, whose events therefore change nothing. */
    default boolean supersedes(long session) {
        return session < id();
    }

    private static RouterSession begin(long session, String collector, long collectorStart, long at) {
        return collectorStart > session ? new Down(session, collector, at) : new Up(session, collector, at);
    }

    /** No event of the router has been seen. */
    record Unknown() implements RouterSession {
        @Override
        public long id() {
            return NONE;
        }

        @Override
        public String collector() {
            return "";
        }

        @Override
        public long since() {
            return 0;
        }

        @Override
        public RouterSession sessionUp(long session, String collector, long collectorStart, long at) {
            return begin(session, collector, collectorStart, at);
        }

        @Override
        public RouterSession sessionDown(long session, String collector, long at) {
            return new Down(session, collector, at);
        }

        @Override
        public RouterSession mentioned(long session, String collector, long collectorStart, long at) {
            return begin(session, collector, collectorStart, at);
        }
    }

    /** The session is connected. */
    record Up(long id, String collector, long since) implements RouterSession {
        @Override
        public RouterSession sessionUp(long session, String of, long collectorStart, long at) {
            return mentioned(session, of, collectorStart, at);
        }

        @Override
        public RouterSession sessionDown(long session, String of, long at) {
            return session < id ? this : new Down(session, of, at);
        }

        @Override
        public RouterSession mentioned(long session, String of, long collectorStart, long at) {
            if (session > id) {
                return begin(session, of, collectorStart, at);
            }
            return session == id && collectorStart > session ? toDown(at) : this;
        }

        @Override
        public RouterSession collectorStarted(String started, long collectorStart, long at) {
            return id < collectorStart && collector.equals(started) ? toDown(at) : this;
        }

        public Down toDown(long at) {
            return new Down(id, collector, at);
        }

        @Override
        public boolean isUp() {
            return true;
        }
    }

    /** The session is over. */
    record Down(long id, String collector, long since) implements RouterSession {
        @Override
        public RouterSession sessionUp(long session, String of, long collectorStart, long at) {
            return session == id && collectorStart <= session
                    ? toUp(of, at)
                    : mentioned(session, of, collectorStart, at);
        }

        @Override
        public RouterSession sessionDown(long session, String of, long at) {
            return session > id ? new Down(session, of, at) : this;
        }

        @Override
        public RouterSession mentioned(long session, String of, long collectorStart, long at) {
            return session > id ? begin(session, of, collectorStart, at) : this;
        }

        /** Only a Session Up of the same session leads here, as when Kafka delivers the session's records again. */
        public Up toUp(String of, long at) {
            return new Up(id, of, at);
        }
    }
}
