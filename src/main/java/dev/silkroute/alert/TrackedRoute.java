package dev.silkroute.alert;

import java.util.List;

/**
 * A route that is evaluated, or one that a vantage point has lost.
 *
 * @param evidence its newest event
 * @param sessionId the session that announced or confirmed it, see {@link #unconfirmed}
 * @param origins the AS at the end of the path, the members of a set there, or the AS of the peer if the path is empty
 * @param invalid whether it was invalid by RPKI when it was announced
 */
record TrackedRoute(Evidence evidence, long sessionId, List<Long> origins, boolean invalid) {
    private static final long NO_SESSION = Long.MIN_VALUE;

    TrackedRoute confirmedBy(long session) {
        return new TrackedRoute(evidence, session, origins, invalid);
    }

    /** Returns the same route, stale until it is announced or confirmed again. */
    TrackedRoute unconfirmed() {
        return confirmedBy(NO_SESSION);
    }
}
