package dev.silkroute.postgres.lane;

/**
 * Records that may not be stored because they don't continue where the lane stands. Nothing of them is stored, and giving
 * them again is no use: their reader has to begin anew where the lane stands.
 */
public final class LaneRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LaneRefusedException(String message) {
        super(message);
    }
}
