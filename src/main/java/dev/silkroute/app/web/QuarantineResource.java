package dev.silkroute.app.web;

import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/quarantine}: the rows of the view {@code v_quarantine}, newest first, in pages. The cursor of the
 * next page is the {@code id} of the last row; a {@code Link} header refers to the next page while there may be one.
 * Of each message at most the first 8 KiB are included, so that the size of a page is bounded.
 */
@Path("/api/v1/quarantine")
@Produces(MediaType.APPLICATION_JSON)
public final class QuarantineResource {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;
    private static final Set<String> STATES = Set.of("open", "redecoded", "all");
    private static final String QUERY = """
            select q.id, q.router, q.peer_address, q.peer_asn, q.peer_bgp_id, q.peer_type, q.peer_distinguisher, q.rib_view,
              q.message_type, q.reason, q.rfc_section, q.byte_offset, length(q.bytes) as length,
              encode(substring(q.bytes for 8192), 'hex') as bytes, q.received_at,
              q.router_time, q.session_id, q.sequence, q.kafka_record, q.state, q.redecoded_at
            from bmp.v_quarantine q
            where (cast(? as text) is null or q.router = ?) and (cast(? as text) = 'all' or q.state = ?) and q.id < ?
            order by q.id desc limit ?""";

    private final JsonQueries database;

    @Inject
    QuarantineResource(JsonQueries database) {
        this.database = database;
    }

    @GET
    public Response quarantine(
            @QueryParam("router") @Nullable String router,
            @QueryParam("state") @Nullable String state,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            UriInfo uri)
            throws SQLException {
        var wantedState = state == null ? "open" : state;
        if (!STATES.contains(wantedState)) {
            throw new BadRequestException("state must be open, redecoded or all, not '" + wantedState + "'");
        }
        int pageSize = (int) integer("limit", limit, DEFAULT_LIMIT, MAX_LIMIT);
        long before = integer("cursor", cursor, Long.MAX_VALUE, Long.MAX_VALUE);
        var page = database.page(QUERY, "id", router, router, wantedState, wantedState, before, pageSize);
        var response = Response.ok(page.json());
        if (page.count() == pageSize) {
            var next = uri.getRequestUriBuilder().replaceQueryParam("cursor", page.last());
            response.link(next.build(), "next");
        }
        return response.build();
    }

    private static long integer(String parameter, @Nullable String text, long otherwise, long max) {
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= 1 && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new BadRequestException(parameter + " must be a number from 1 to " + max + ", not '" + text + "'");
    }
}
