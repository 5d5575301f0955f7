package dev.silkroute.app.config;

/**
 * An {@link OperatorError} in the command line or the configuration: an invalid option, argument or setting. The
 * command has not begun its work.
 */
public final class UsageError extends OperatorError {
    private static final long serialVersionUID = 1L;

    public UsageError(String message) {
        super(message);
    }

    public UsageError(String message, Throwable cause) {
        super(message, cause);
    }
}
