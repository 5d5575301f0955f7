package dev.silkroute.postgres.state;

/** A row of the current state that is not a route, as after a change by hand. The message is the reason. */
final class InvalidRowException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidRowException(String reason) {
        super(reason, null, false, false);
    }
}
