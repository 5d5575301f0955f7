package dev.silkroute.app.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * Problem details of RFC 9457. Its type is {@code about:blank}, so that the title is that of the status, or the URI of
 * a {@link ProblemType}.
 *
 * @param parameter the query parameter that is invalid, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        String instance,
        @Nullable String parameter) {
    static final String MEDIA_TYPE = "application/problem+json";

    private static final int RETRY_SECONDS = 5;

    static Problem of(Response.StatusType status, String detail, String instance) {
        return new Problem("about:blank", status.getReasonPhrase(), status.getStatusCode(), detail, instance, null);
    }

    static Response response(Response.StatusType status, String detail, String instance) {
        return response(of(status, detail, instance));
    }

    static Response response(ProblemType type, String detail, String instance, @Nullable String parameter) {
        return response(new Problem(type.uri(), type.title(), type.status(), detail, instance, parameter));
    }

    /** Returns a 503 response with {@code Retry-After}, for requests that are likely to succeed shortly. */
    static Response retryLater(String detail, String instance) {
        return response(ProblemType.RETRY_LATER, detail, instance, null);
    }

    private static Response response(Problem problem) {
        var response = Response.status(problem.status()).type(MEDIA_TYPE).entity(problem);
        if (problem.status() == Response.Status.SERVICE_UNAVAILABLE.getStatusCode()) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        }
        return response.build();
    }
}
