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
 * {@code /api/v1/quarantine}: the view {@code v_quarantine}, newest first, a page at a time. The cursor of the next page is the
 * last row's {@code id}; a {@code Link} header names that page while there may be one. Of a message longer than 8 KiB the
 * beginning is shown: a page has a bound, whatever routers send.
 */
@Path("/api/v1/quarantine")
@Produces(MediaType.APPLICATION_JSON)
public final class QuarantineResource {
    private static final int DEFAULT_LIMIT = 100;
    private static final int LARGEST_LIMIT = 1000;
    private static final Set<String> STATES = Set.of("open", "redecoded", "all");
    private static final String ROWS = """
            select q.id, q.router, q.peer_address, q.peer_asn, q.peer_bgp_id, q.peer_type, q.peer_distinguisher, q.rib_view,
              q.message_type, q.reason, q.section, q.byte_offset, length(q.bytes) as length,
              encode(substring(q.bytes for 8192), 'hex') as bytes, q.received_at,
              q.router_time, q.session_id, q.sequence, q.kafka_record, q.state, q.redecoded_at
            from bmp.v_quarantine q
            where (cast(? as text) is null or q.router = ?) and (cast(? as text) = 'all' or q.state = ?) and q.id < ?
            order by q.id desc limit ?""";

    private final Rows rows;

    @Inject
    QuarantineResource(Rows rows) {
        this.rows = rows;
    }

    @GET
    public Response quarantine(
            @QueryParam("router") @Nullable String router,
            @QueryParam("state") @Nullable String state,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            UriInfo uri)
            throws SQLException {
        var wanted = state == null ? "open" : state;
        if (!STATES.contains(wanted)) {
            throw new BadRequestException("state is open, redecoded or all, not '" + wanted + "'");
        }
        int most = (int) number("limit", limit, DEFAULT_LIMIT, LARGEST_LIMIT);
        long before = number("cursor", cursor, Long.MAX_VALUE, Long.MAX_VALUE);
        var page = rows.page(ROWS, "id", router, router, wanted, wanted, before, most);
        var response = Response.ok(page.json());
        if (page.count() == most) {
            var next = uri.getRequestUriBuilder().replaceQueryParam("cursor", page.last());
            response.link(next.build(), "next");
        }
        return response.build();
    }

    private static long number(String name, @Nullable String text, long otherwise, long largest) {
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= 1 && value <= largest) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadRequestException(name + " is a number from 1 to " + largest + ", not '" + text + "'");
    }
}
