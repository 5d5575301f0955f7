package dev.silkroute.app.web;

import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.sql.SQLException;
import java.util.List;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Maps every exception of the API to problem details. */
final class ProblemMappers {
    private static final Logger LOGGER = Logger.getLogger(ProblemMappers.class);

    /** SQL states: no connection, insufficient resources, operator intervention, timeouts; and an exhausted pool. */
    private static final List<String> UNAVAILABLE = List.of("08", "53", "57", "25P", "null");

    @ServerExceptionMapper
    Response rejected(WebApplicationException e, UriInfo uri) {
        return Problem.response(e.getResponse().getStatusInfo(), String.valueOf(e.getMessage()), uri.getPath());
    }

    /** RESTEasy leaves out the methods that RFC 9110, Section 15.5.6 requires. All operations but one are GET. */
    @ServerExceptionMapper
    Response methodNotAllowed(NotAllowedException e, UriInfo uri) {
        var allowed = uri.getPath().equals(FlowResource.PATH) ? "OPTIONS, POST" : "GET, HEAD, OPTIONS";
        return Response.fromResponse(rejected(e, uri))
                .header(HttpHeaders.ALLOW, allowed)
                .build();
    }

    @ServerExceptionMapper
    Response problem(ProblemException e, UriInfo uri) {
        return Problem.response(e.type(), String.valueOf(e.getMessage()), uri.getPath(), e.parameter());
    }

    @ServerExceptionMapper
    Response databaseError(SQLException e, UriInfo uri) {
        var state = String.valueOf(e.getSQLState());
        if (UNAVAILABLE.stream().noneMatch(state::startsWith)) {
            return internalError(new IllegalStateException(e), uri);
        }
        return Problem.response(
                ProblemType.DATABASE_UNAVAILABLE, "PostgreSQL is unavailable: " + e.getMessage(), uri.getPath(), null);
    }

    @ServerExceptionMapper
    Response internalError(RuntimeException e, UriInfo uri) {
        LOGGER.errorf(e, "Internal error while responding to %s", uri.getPath());
        return Problem.response(
                Response.Status.INTERNAL_SERVER_ERROR, "Internal error; see the server log", uri.getPath());
    }
}
