package dev.silkroute.app.web;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** Problem details of RFC 9457; the type is always {@code about:blank}, so the title is that of the status. */
record Problem(String type, String title, int status, String detail, String instance) {
    static final String MEDIA_TYPE = "application/problem+json";

    private static final int RETRY_SECONDS = 5;

    static Response response(Response.StatusType status, String detail, String instance) {
        var problem = new Problem("about:blank", status.getReasonPhrase(), status.getStatusCode(), detail, instance);
        return Response.status(status).type(MEDIA_TYPE).entity(problem).build();
    }

    /** What can't be answered now may be soon. */
    static Response comeAgain(String detail, String instance) {
        return Response.fromResponse(response(Response.Status.SERVICE_UNAVAILABLE, detail, instance))
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .build();
    }
}
