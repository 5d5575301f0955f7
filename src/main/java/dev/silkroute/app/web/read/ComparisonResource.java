package dev.silkroute.app.web.read;

import dev.silkroute.app.reconcile.Comparisons;
import dev.silkroute.app.web.read.Listing.Key;
import dev.silkroute.digest.TableSource;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;

/**
 * {@code /api/v1/rib/diff}, {@code /compare} and {@code /reconcile}: comparisons of two moments, of the views of a
 * prefix, and of the tables with the counts that routers report, with the database or with the twin.
 */
@Path("/api/v1")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class ComparisonResource {
    private static final String WITH = "with";
    private static final String ROUTES = "routes";
    private static final int DEFAULT_ROUTES = 20;

    private final Answers answers;
    private final Comparisons comparisons;

    @Inject
    ComparisonResource(Answers answers, Comparisons comparisons) {
        this.answers = answers;
        this.comparisons = comparisons;
    }

    @GET
    @Path("rib/diff")
    public Response diff() throws SQLException {
        var parameters = answers.pageParameters(List.of(
                "from",
                "to",
                RouteFilter.ROUTER,
                RouteFilter.PEER,
                RouteFilter.VIEW,
                RouteFilter.FAMILY,
                RouteFilter.RD,
                "within",
                "change"));
        return answers.page(differences(parameters), parameters);
    }

    /** Returns the rows of {@code /rib/diff}. */
    static Listing differences(Parameters parameters) {
        var from = parameters.required("from", parameters.time("from"));
        var to = parameters.time("to");
        if (from.isAfter(to == null ? OffsetDateTime.now(ZoneOffset.UTC) : to)) {
            throw Parameters.invalid("from", "must not be after to, which is the present by default");
        }
        var within = parameters.prefix("within");
        var conditions = new SqlQuery()
                .addIfPresent("and v.change = ?", parameters.choice("change", List.of("added", "removed", "changed")));
        RouteFilter.addFamily(conditions, parameters);
        var differences = new Differences(
                from,
                to,
                parameters.text(RouteFilter.ROUTER),
                parameters.address(RouteFilter.PEER),
                RouteFilter.view(parameters),
                within == null ? null : within.toString(),
                conditions);
        return Listing.byRange(differences, RouteColumns.DIFF, RouteOrder.DIFFERENCES)
                .withSelectable(RouteColumns.VALIDITIES);
    }

    @GET
    @Path("compare")
    public Response compare() throws SQLException {
        var parameters = answers.pageParameters(List.of("prefix", "router", "peer", "at"));
        var prefix = parameters.required("prefix", parameters.prefix("prefix"));
        var time = parameters.time("at");
        var query = new SqlQuery()
                .add("select v.*,")
                .add(RouteFilter.VALIDITY_OF_COMPARISON, time)
                .add("from bmp.compare_views(?::cidr, ?::timestamptz) v cross join lateral", prefix.toString(), time)
                .add(RouteFilter.ROUTE_OF_COMPARISON)
                .add("where true");
        query.addIfPresent("and v.router = ?", parameters.text("router"));
        query.addIfPresent("and v.peer_address = ?::inet", parameters.address("peer"));
        return answers.page(
                Listing.of(
                        query,
                        RouteColumns.COMPARISON,
                        Key.of("r.router", "text"),
                        Key.of("r.direction", "text"),
                        Key.of("r.peer_address", "inet"),
                        Key.of("r.peer_asn", "bigint"),
                        Key.of("r.peer_bgp_id", "inet"),
                        Key.of("r.peer_type", "text"),
                        Key.of("r.peer_distinguisher", "text"),
                        Key.of("r.family", "text"),
                        Key.of("coalesce(r.rd, '')", "text"),
                        Key.of("coalesce(r.path_id, -1)", "bigint")),
                parameters);
    }

    @GET
    @Path("reconcile")
    public Response reconcile() throws SQLException {
        var parameters = answers.pageParameters(
                List.of(WITH, "router", "peer", "view", "family", "state", RouteFilter.AT, ROUTES));
        var with = parameters.choice(WITH, List.of("routers", "database", "twin"));
        return with == null || with.equals("routers")
                ? reconcileWithRouters(parameters)
                : reconcileWith(Comparisons.With.valueOf(with.toUpperCase(Locale.ROOT)), parameters);
    }

    private Response reconcileWith(Comparisons.With with, Parameters parameters) throws SQLException {
        for (var name : List.of(RouteFilter.AT, Answers.FIELDS, "limit", "cursor")) {
            if (parameters.has(name)) {
                throw Parameters.invalid(name, "applies to with=routers only");
            }
        }
        var selection = TableParameters.selection(parameters);
        var state = parameters.choice("state", List.of("equal", "differs"));
        int routes = (int) parameters.number(ROUTES, DEFAULT_ROUTES, 0, TableSource.MAX_ROUTES);
        var outcome = TableParameters.read(() -> comparisons.compare(with, selection, routes));
        return Response.ok(ComparisonJson.text(with, outcome, state)).build();
    }

    private Response reconcileWithRouters(Parameters parameters) throws SQLException {
        if (parameters.has(ROUTES)) {
            throw Parameters.invalid(ROUTES, "applies to with=database and with=twin only");
        }
        var query = new SqlQuery()
                .add(
                        "select v.* from bmp.reconcile(ts => ?::timestamptz) v where true",
                        parameters.time(RouteFilter.AT));
        query.addIfPresent("and v.state = ?", parameters.choice("state", List.of("equal", "differs", "unknown")));
        RouteFilter.addTable(query, parameters);
        return answers.page(
                Listing.of(
                        query,
                        RouteColumns.RECONCILIATION,
                        Key.of("r.router", "text"),
                        Key.of("r.peer_address", "inet"),
                        Key.of("r.peer_id", "integer"),
                        Key.of("r.rib_view", "text"),
                        Key.of("coalesce(r.family, '')", "text")),
                parameters);
    }
}
