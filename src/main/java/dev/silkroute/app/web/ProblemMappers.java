package dev.silkroute.app.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.sql.SQLException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Maps every exception of the API to problem details. */
final class ProblemMappers {
    private static final Logger LOGGER = Logger.getLogger(ProblemMappers.class);

    @ServerExceptionMapper
    Response rejected(WebApplicationException e, UriInfo uri) {
        return Problem.response(e.getResponse().getStatusInfo(), String.valueOf(e.getMessage()), uri.getPath());
    }

    @ServerExceptionMapper
    Response databaseError(SQLException e, UriInfo uri) {
        return Problem.response(
                Response.Status.SERVICE_UNAVAILABLE, "PostgreSQL is unavailable: " + e.getMessage(), uri.getPath());
    }

    @ServerExceptionMapper
    Response internalError(RuntimeException e, UriInfo uri) {
        LOGGER.errorf(e, "Internal error while responding to %s", uri.getPath());
        return Problem.response(
                Response.Status.INTERNAL_SERVER_ERROR, "Internal error; see the server log", uri.getPath());
    }
}
