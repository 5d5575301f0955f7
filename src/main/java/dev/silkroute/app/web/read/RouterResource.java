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

/** {@code /api/v1/routers} and {@code /api/v1/peers}: the rows of {@code v_routers} and {@code v_peers}, as arrays. */
@Path("/api/v1")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class RouterResource {
    private final Answers answers;

    @Inject
    RouterResource(Answers answers) {
        this.answers = answers;
    }

    @GET
    @Path("routers")
    public Response routers() throws SQLException {
        var parameters = answers.parameters(List.of(RouteFilter.ROUTER, "state", RouteFilter.AT, Answers.FIELDS));
        var query = source("bmp.v_routers", "bmp.routers_at", parameters);
        add(query, parameters, "state", List.of("connected", "disconnected"));
        return answers.all(Listing.of(query, RouteColumns.ROUTERS, Key.of("r.router", "text")), parameters);
    }

    @GET
    @Path("peers")
    public Response peers() throws SQLException {
        var parameters = answers.parameters(List.of(
                RouteFilter.ROUTER, RouteFilter.PEER, RouteFilter.VIEW, "state", RouteFilter.AT, Answers.FIELDS));
        var query = source("bmp.v_peers", "bmp.peers_at", parameters);
        query.addIfPresent("and v.peer_address = ?::inet", parameters.address(RouteFilter.PEER));
        query.addIfPresent("and v.rib_view = ?", RouteFilter.view(parameters));
        add(query, parameters, "state", List.of("up", "down", "stale", "unannounced"));
        return answers.all(
                Listing.of(
                        query,
                        RouteColumns.PEERS,
                        Key.of("r.router", "text"),
                        Key.of("r.peer_address", "inet"),
                        Key.of("r.peer_distinguisher", "text"),
                        Key.of("r.rib_view", "text"),
                        Key.of("r.peer_type", "text"),
                        Key.of("r.peer_bgp_id", "inet")),
                parameters);
    }

    private static SqlQuery source(String current, String past, Parameters parameters) {
        var query = new SqlQuery().add("select v.* from");
        var time = parameters.time(RouteFilter.AT);
        if (time == null) {
            query.add(current + " v");
        } else {
            query.add(past + "(?) v", time);
        }
        query.add("where true");
        query.addIfPresent("and v.router = ?", parameters.text(RouteFilter.ROUTER));
        return query;
    }

    private static void add(SqlQuery query, Parameters parameters, String name, List<String> choices) {
        query.addIfPresent("and v." + name + " = ?", parameters.choice(name, choices));
    }
}
