package dev.silkroute.alert;

import dev.silkroute.alert.path.ReceivedPath;
import dev.silkroute.alert.record.Evidence;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A route that is evaluated, or one that a vantage point has lost.
 *
 * @param evidence its newest event
 * @param sessionId the session that announced or confirmed it, see {@link #unconfirmed}
 * @param origins the AS at the end of the path, the members of a set there, or the AS of the peer if the path is empty
 * @param validatedOrigin the AS by which it is validated; empty if the path ends with a set
 * @param invalid whether it is invalid by RPKI, by the newest VRPs with which it was validated
 * @param acceptedPath its AS path if the policy of the router has accepted it and the neighbor's role is known
 * @param pathInvalid whether that is invalid, by the newest ASPAs with which it was verified
 * @param onlyToCustomer the AS number in Only to Customer (RFC 9234)
 * @param attributeHash the hash of its attribute set; empty for a loss
 */
record TrackedRoute(
        Evidence evidence,
        long sessionId,
        List<Long> origins,
        OptionalLong validatedOrigin,
        boolean invalid,
        Optional<ReceivedPath> acceptedPath,
        boolean pathInvalid,
        OptionalLong onlyToCustomer,
        Optional<UUID> attributeHash) {
    private static final long NO_SESSION = Long.MIN_VALUE;

    /** Returns a loss. */
    static TrackedRoute loss(Evidence evidence) {
        return new TrackedRoute(
                evidence,
                evidence.sessionId(),
                List.of(),
                OptionalLong.empty(),
                false,
                Optional.empty(),
                false,
                OptionalLong.empty(),
                Optional.empty());
    }

    TrackedRoute confirmedBy(long session) {
        return new TrackedRoute(
                evidence,
                session,
                origins,
                validatedOrigin,
                invalid,
                acceptedPath,
                pathInvalid,
                onlyToCustomer,
                attributeHash);
    }

    /** Returns whether a vantage point has lost the route. */
    boolean isLoss() {
        return !evidence.event().equals(Evidence.ANNOUNCE);
    }

    /** Returns the same route, validated and verified again. */
    TrackedRoute with(boolean isInvalid, boolean isPathInvalid) {
        return new TrackedRoute(
                evidence,
                sessionId,
                origins,
                validatedOrigin,
                isInvalid,
                acceptedPath,
                isPathInvalid,
                onlyToCustomer,
                attributeHash);
    }

    /** Returns the same route, stale until it is announced or confirmed again. */
    TrackedRoute unconfirmed() {
        return confirmedBy(NO_SESSION);
    }
}
