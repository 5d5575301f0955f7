package dev.silkroute.app.web;

import java.util.Locale;

/** The types of problems that a client can distinguish by their URI; docs/reference/rest.md describes each. */
public enum ProblemType {
    INVALID_PARAMETER(400, "A query parameter is missing, unknown or invalid"),
    BEFORE_HISTORY(400, "The time is before the beginning of the history"),
    RETRY_LATER(503, "The request is likely to succeed shortly"),
    TIMEOUT(503, "The query took too long"),
    DATABASE_UNAVAILABLE(503, "PostgreSQL is unavailable"),
    ROLE_MISSING(503, "This station does not have the role that the request requires"),
    TWIN_UNAVAILABLE(503, "The twin station is not configured or does not answer");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** Returns the URI, such as {@code urn:silkroute:problem:invalid-parameter}. */
    public String uri() {
        return "urn:silkroute:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }
}
