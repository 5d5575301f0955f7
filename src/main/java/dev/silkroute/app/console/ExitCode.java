package dev.silkroute.app.console;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;

/** Exit codes of the program. */
public final class ExitCode {
    public static final int OK = 0;

    /** The command has failed: an unreachable station, a query that PostgreSQL rejected, a lost connection. */
    public static final int FAILURE = 1;

    /** The command line or the configuration is invalid, or the station could not start. */
    public static final int USAGE_ERROR = 2;

    /** Ended by SIGINT or SIGTERM before the command was done; the code that a shell reports after SIGINT. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}

    /** Returns the exit code of a command that ends with this error. */
    public static int of(OperatorError error) {
        return error instanceof UsageError ? USAGE_ERROR : FAILURE;
    }
}
