package dev.silkroute.app.web.read;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.sql.SQLException;
import java.util.List;
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
    private static final String OPEN = "open";

    private static final String COLUMNS = """
            q.id, q.router, q.peer_address, q.peer_asn, q.peer_bgp_id, q.peer_type, q.peer_distinguisher, q.rib_view,
              q.message_type, q.reason, q.rfc_section, q.byte_offset, length(q.bytes) as length,
              encode(substring(q.bytes for 8192), 'hex') as bytes, q.received_at,
              q.router_time, q.session_id, q.sequence, q.kafka_record, w.state,
              case when w.state = 'redecoded' then q.redecoded_at end as redecoded_at""";

    /** The state of a message at a time, which null stands for the present. */
    private static final String FROM = """
            from (select cast(? as timestamptz) as at, cast(? as text) as router, cast(? as text) as state) p
              cross join bmp.v_quarantine q
              cross join lateral (select case when q.redecoded_at > p.at then 'open' else q.state end as state) w
            where (p.router is null or q.router = p.router) and (p.state = 'all' or w.state = p.state)
              and (p.at is null or q.received_at <= p.at)""";

    private final Answers answers;
    private final UriInfo uri;

    @Inject
    QuarantineResource(Answers answers, UriInfo uri) {
        this.answers = answers;
        this.uri = uri;
    }

    @GET
    public Response quarantine() throws SQLException {
        var parameters = new Parameters(
                uri.getQueryParameters(), List.of(RouteFilter.ROUTER, "state", RouteFilter.AT, "limit", "cursor"));
        var state = parameters.choice("state", List.of(OPEN, "redecoded", "all"));
        int limit = (int) parameters.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        long before = parameters.number("cursor", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        @Nullable
        Object[] selection = {
            parameters.time(RouteFilter.AT), parameters.text(RouteFilter.ROUTER), state == null ? OPEN : state
        };
        // Without their bytes, because a page of large messages must not be in memory as a whole
        var ids = answers.one(new SqlQuery()
                .add("select concat_ws(' ', min(id), max(id), count(*)), '' from (select q.id")
                .add(FROM, selection)
                .add("and q.id < ? order by q.id desc limit ?) t", before, limit));
        var range = String.valueOf(ids).split(" ");
        long first = range.length == 1 ? 0 : Long.parseLong(range[0]);
        long last = range.length == 1 ? -1 : Long.parseLong(range[1]);
        var response = answers.array(new SqlQuery()
                .add("select row_to_json(t)::text, '' from (select")
                .add(COLUMNS)
                .add(FROM, selection)
                .add("and q.id between ? and ? order by q.id desc) t", first, last));
        if (range.length == 1 || Integer.parseInt(range[2]) < limit) {
            return response;
        }
        var next = uri.getRequestUriBuilder().replaceQueryParam("cursor", first);
        return Response.fromResponse(response).link(next.build(), "next").build();
    }
}
