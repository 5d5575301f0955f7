package dev.silkroute.app.web;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** Problem details of RFC 9457. The type is always {@code about:blank}, so the title is that of the status. */
record Problem(String type, String title, int status, String detail, String instance) {
    static final String MEDIA_TYPE = "application/problem+json";

    private static final int RETRY_SECONDS = 5;

    static Problem of(Response.StatusType status, String detail, String instance) {
        return new Problem("about:blank", status.getReasonPhrase(), status.getStatusCode(), detail, instance);
    }

    static Response response(Response.StatusType status, String detail, String instance) {
        return Response.status(status)
                .type(MEDIA_TYPE)
                .entity(of(status, detail, instance))
                .build();
    }

    /** Returns a 503 response with {@code Retry-After}, for requests that are likely to succeed shortly. */
    static Response retryLater(String detail, String instance) {
        return Response.fromResponse(response(Response.Status.SERVICE_UNAVAILABLE, detail, instance))
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .build();
    }
}
