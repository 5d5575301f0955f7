package dev.silkroute.app.web.read;

import dev.silkroute.app.web.read.Listing.Key;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code /api/v1/quarantine}: the rows of the view {@code v_quarantine}, newest first, in pages; by default those that
 * are open. Of each message at most the first 8 KiB are included, so that the size of a row is bounded.
 */
@Path("/api/v1/quarantine")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class QuarantineResource {
    private static final String OPEN = "open";

    /** The state of a message at a time, which null stands for the present. */
    private static final String QUERY = """
            select q.id, q.router, q.peer_address, q.peer_asn, q.peer_bgp_id, q.peer_type, q.peer_distinguisher, q.rib_view,
              q.message_type, q.reason, q.rfc_section, q.byte_offset, length(q.bytes) as length,
              encode(substring(q.bytes for 8192), 'hex') as bytes, q.received_at,
              q.router_time, q.session_id, q.sequence, q.kafka_record, w.state,
              case when w.state = 'redecoded' then q.redecoded_at end as redecoded_at
            from (select cast(? as timestamptz) as at) p
              cross join bmp.v_quarantine q
              cross join lateral (select case when q.redecoded_at > p.at then 'open' else q.state end as state) w
            where (p.at is null or q.received_at <= p.at)""";

    private final Answers answers;

    @Inject
    QuarantineResource(Answers answers) {
        this.answers = answers;
    }

    @GET
    public Response quarantine() throws SQLException {
        var parameters = answers.pageParameters(
                List.of(RouteFilter.ROUTER, RouteFilter.PEER, RouteFilter.VIEW, "state", RouteFilter.AT));
        var query = new SqlQuery().add(QUERY, parameters.time(RouteFilter.AT));
        var state = parameters.choice("state", List.of(OPEN, "redecoded", "all"));
        if (!"all".equals(state)) {
            query.add("and w.state = ?", state == null ? OPEN : state);
        }
        query.addIfPresent("and q.router = ?", parameters.text(RouteFilter.ROUTER));
        query.addIfPresent("and q.peer_address = ?::inet", parameters.address(RouteFilter.PEER));
        query.addIfPresent("and q.rib_view = ?", RouteFilter.view(parameters));
        var listing = Listing.of(query, RouteColumns.QUARANTINE, Key.of("r.id", "bigint"));
        return answers.page(listing.reversed(), parameters);
    }
}
