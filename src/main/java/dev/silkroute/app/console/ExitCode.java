package dev.silkroute.app.console;

/** Exit codes of the program. */
public final class ExitCode {
    public static final int OK = 0;

    /** An internal error: a bug in the program. */
    public static final int INTERNAL_ERROR = 1;

    /** Any error that the operator can correct, such as an invalid option or an unreachable station. */
    public static final int USAGE_ERROR = 2;

    /** Ended by SIGINT or SIGTERM before the command was done; the code that a shell reports after SIGINT. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
