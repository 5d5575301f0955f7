package dev.silkroute.app.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.sql.SQLException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Every error of the API as problem details. */
final class ProblemMappers {
    private static final Logger LOGGER = Logger.getLogger(ProblemMappers.class);

    @ServerExceptionMapper
    Response refused(WebApplicationException e, UriInfo uri) {
        return Problem.response(e.getResponse().getStatusInfo(), String.valueOf(e.getMessage()), uri.getPath());
    }

    @ServerExceptionMapper
    Response database(SQLException e, UriInfo uri) {
        return Problem.response(
                Response.Status.SERVICE_UNAVAILABLE, "PostgreSQL does not answer: " + e.getMessage(), uri.getPath());
    }

    @ServerExceptionMapper
    Response fault(RuntimeException e, UriInfo uri) {
        LOGGER.errorf(e, "Fault while answering %s", uri.getPath());
        return Problem.response(
                Response.Status.INTERNAL_SERVER_ERROR, "A fault of the station; its log says more", uri.getPath());
    }
}
