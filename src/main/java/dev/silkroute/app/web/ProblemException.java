package dev.silkroute.app.web;

import org.jspecify.annotations.Nullable;

/** Ends a request with problem details. Its message is the detail. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    private final @Nullable String parameter;

    private ProblemException(ProblemType type, @Nullable String parameter, String detail, @Nullable Throwable cause) {
        super(detail, cause);
        this.type = type;
        this.parameter = parameter;
    }

    public ProblemException(ProblemType type, String detail) {
        this(type, null, detail, null);
    }

    public ProblemException(ProblemType type, String detail, Throwable cause) {
        this(type, null, detail, cause);
    }

    /** Returns the exception for a query parameter that is missing, unknown or invalid. */
    public static ProblemException parameter(String name, String detail) {
        return new ProblemException(ProblemType.INVALID_PARAMETER, name, detail, null);
    }

    public ProblemType type() {
        return type;
    }

    /** Returns the invalid query parameter, or null. */
    public @Nullable String parameter() {
        return parameter;
    }
}
