package dev.silkroute.app.web.read;

import dev.silkroute.app.names.ConfiguredNames;
import dev.silkroute.app.web.read.Listing.Key;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * {@code /api/v1/routers} and {@code /api/v1/peers}: the rows of {@code v_routers} and {@code v_peers}, as arrays,
 * with the labels that the configured file has now.
 */
@Path("/api/v1")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class RouterResource {
    private static final String LABEL = "label";

    /** A label and its value, as clients send it. */
    private static final Pattern LABEL_VALUE = Pattern.compile("([^:]+):(.*)", Pattern.DOTALL);

    private final Answers answers;
    private final ConfiguredNames names;

    @Inject
    RouterResource(Answers answers, ConfiguredNames names) {
        this.answers = answers;
        this.names = names;
    }

    @GET
    @Path("routers")
    public Response routers() throws SQLException {
        var parameters =
                answers.parameters(List.of(RouteFilter.ROUTER, "state", LABEL, RouteFilter.AT, Answers.FIELDS));
        var query = new SqlQuery().add("select v.* from (select s.*, l.labels from");
        source(query, "bmp.v_routers", "bmp.routers_at", parameters)
                .add(
                        "left join jsonb_each(?::jsonb) l(router, labels) on l.router = s.router",
                        names.labels().routersJson());
        conditions(query, parameters);
        add(query, parameters, "state", List.of("connected", "disconnected"));
        return answers.all(Listing.of(query, RouteColumns.ROUTERS, Key.of("r.router", "text")), parameters);
    }

    @GET
    @Path("peers")
    public Response peers() throws SQLException {
        var parameters = answers.parameters(List.of(
                RouteFilter.ROUTER,
                RouteFilter.PEER,
                RouteFilter.VIEW,
                "state",
                LABEL,
                RouteFilter.AT,
                Answers.FIELDS));
        var labels = names.labels();
        var query = new SqlQuery()
                .add("select v.* from (select s.*, nullif(coalesce(r.labels, '{}') || coalesce(p.labels, '{}')")
                .add("|| coalesce(o.labels, '{}'), '{}') as labels from");
        source(query, "bmp.v_peers", "bmp.peers_at", parameters)
                .add("left join jsonb_each(?::jsonb) r(router, labels) on r.router = s.router", labels.routersJson())
                .add(
                        "left join jsonb_each(?::jsonb) p(peer, labels) on p.peer = host(s.peer_address)",
                        labels.peersJson())
                .add("left join jsonb_each(?::jsonb) o(peer, labels)", labels.routersPeersJson())
                .add("on o.peer = s.router || ' ' || host(s.peer_address)");
        conditions(query, parameters);
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

    /** Adds the relation {@code s}: the rows of a view, or of a time those of a function. */
    private static SqlQuery source(SqlQuery query, String current, String past, Parameters parameters) {
        var time = parameters.time(RouteFilter.AT);
        return time == null ? query.add(current + " s") : query.add(past + "(?) s", time);
    }

    /** Ends the relation {@code v} and adds the conditions that both operations have. */
    private static void conditions(SqlQuery query, Parameters parameters) {
        query.add(") v where true");
        query.addIfPresent("and v.router = ?", parameters.text(RouteFilter.ROUTER));
        for (var label : parameters.texts(LABEL)) {
            var parts = LABEL_VALUE.matcher(label);
            if (!parts.matches()) {
                throw Parameters.invalid(LABEL, "must be a label and its value such as site:fra, not '" + label + "'");
            }
            query.add("and v.labels ->> ? = ?", parts.group(1), parts.group(2));
        }
    }

    private static void add(SqlQuery query, Parameters parameters, String name, List<String> choices) {
        query.addIfPresent("and v." + name + " = ?", parameters.choice(name, choices));
    }
}
