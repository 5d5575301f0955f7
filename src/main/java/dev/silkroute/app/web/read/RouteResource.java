package dev.silkroute.app.web.read;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** {@code /api/v1/routes}: the current routes, those at a time, and the history of a prefix. */
@Path("/api/v1")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class RouteResource {
    private final Answers answers;

    @Inject
    RouteResource(Answers answers) {
        this.answers = answers;
    }

    @GET
    @Path("routes")
    public Response routes() throws SQLException {
        return routes(answers.pageParameters(with(RouteFilter.NAMES, RouteFilter.AT)), RouteFilter.AT);
    }

    /** The same as {@code /routes} with {@code at}. */
    @GET
    @Path("rib/at")
    public Response ribAt() throws SQLException {
        var parameters = answers.pageParameters(with(RouteFilter.NAMES, "ts"));
        parameters.required("ts", parameters.text("ts"));
        return routes(parameters, "ts");
    }

    private Response routes(Parameters parameters, String time) throws SQLException {
        var at = parameters.time(time);
        var listing = Listing.of(RouteFilter.select(parameters, at), RouteColumns.RIB, RouteOrder.RIB)
                .withSelectable(List.of(RouteColumns.VALIDITY));
        return answers.page(at == null ? listing.byPrefix(RouteFilter.prefixes(parameters)) : listing, parameters);
    }

    @GET
    @Path("routes/history")
    public Response history() throws SQLException {
        var parameters = answers.pageParameters(List.of(
                RouteFilter.PREFIX,
                RouteFilter.ROUTER,
                RouteFilter.PEER,
                RouteFilter.VIEW,
                RouteFilter.FAMILY,
                RouteFilter.RD,
                "from",
                "to",
                RouteFilter.AT,
                "order"));
        var prefix = parameters
                .required(RouteFilter.PREFIX, parameters.prefix(RouteFilter.PREFIX))
                .toString();
        var view = RouteFilter.view(parameters);
        var query = new SqlQuery()
                .add("select v.*, ?::cidr as prefix, concat_ws(' ', v.rd, ?) as nlri,", prefix, prefix)
                .add(RouteFilter.VALIDITY_OF_EVENT, prefix)
                .add(
                        "from bmp.route_timeline(?::cidr, ?, ?::inet, ?) v where true",
                        prefix,
                        parameters.text("router"),
                        parameters.address("peer"),
                        view);
        for (var condition : List.of("from >=", "to <=", "at <=")) {
            var parts = condition.split(" ", 2);
            var time = parameters.time(parts[0]);
            if (time != null) {
                query.add("and v.received_at " + parts[1] + " ?", time);
            }
        }
        RouteFilter.addFamily(query, parameters);
        var listing = Listing.of(query, RouteColumns.HISTORY, RouteOrder.HISTORY)
                .withSelectable(List.of(RouteColumns.VALIDITY));
        boolean descending = "desc".equals(parameters.choice("order", List.of("asc", "desc")));
        return answers.page(descending ? listing.reversed() : listing, parameters);
    }

    private static List<String> with(Collection<String> names, String... others) {
        var all = new ArrayList<>(names);
        all.addAll(List.of(others));
        return all;
    }
}
