package dev.silkroute.postgres.lane;

/**
 * Records that are rejected because they do not continue at the lane's offset. None of them is stored, and passing them
 * again fails again: their reader must seek to the lane's offset.
 */
public final class LaneRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LaneRejectedException(String message) {
        super(message);
    }
}
