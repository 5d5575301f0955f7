package dev.silkroute.postgres.lane;

/** A row that doesn't fit its table; the message says which row and column. */
public final class CopyRowException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CopyRowException(String message) {
        super(message);
    }

    CopyRowException(String message, Throwable cause) {
        super(message, cause);
    }
}
