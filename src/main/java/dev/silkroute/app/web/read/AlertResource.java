package dev.silkroute.app.web.read;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.app.web.read.Listing.Key;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code /api/v1/alerts}: the rows of {@code v_alerts}, newest first, in pages; by default those that are open. With a
 * time, those that had been opened by then, in the state of that time.
 */
@Path("/api/v1")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class AlertResource {
    private static final String OPEN = "open";

    /** The state of an alert at a time, which null stands for the present. */
    private static final String COLUMNS = RouteColumns.ALERTS.stream()
            .map(column -> switch (column) {
                case "state" -> "case when a.closed_at > p.at then 'open' else a.state end as state";
                case "closed_at" -> "case when a.closed_at <= p.at or p.at is null then a.closed_at end as closed_at";
                case "notified_at" ->
                    "case when a.notified_at <= p.at or p.at is null then a.notified_at end as notified_at";
                default -> "a." + column;
            })
            .collect(Collectors.joining(", "));

    private static final String FROM = """
            from (select cast(? as timestamptz) as at) p cross join bmp.v_alerts a
            where p.at is null or a.opened_at <= p.at) v where true""";

    private final Answers answers;

    @Inject
    AlertResource(Answers answers) {
        this.answers = answers;
    }

    @GET
    @Path("alerts")
    public Response alerts() throws SQLException {
        var parameters = answers.pageParameters(List.of("state", "rule", "router", "prefix", RouteFilter.AT));
        var at = parameters.time(RouteFilter.AT);
        var query = new SqlQuery().add("select * from (select").add(COLUMNS).add(FROM, at);
        var state = parameters.choice("state", List.of(OPEN, "closed", "all"));
        if (!"all".equals(state)) {
            query.add("and v.state = ?", state == null ? OPEN : state);
        }
        query.addIfPresent("and v.rule = ?", parameters.choice("rule", AlertRule.texts()));
        var router = parameters.text("router");
        if (router != null) {
            query.add(
                    "and (v.router = ? or v.evidence @> jsonb_build_array(jsonb_build_object('router', ?::text)))",
                    router,
                    router);
        }
        var prefix = parameters.prefix("prefix");
        if (prefix != null) {
            query.add("and v.prefix <<= ?::cidr", prefix.toString());
        }
        var listing = Listing.of(
                query, RouteColumns.ALERTS, Key.of("r.opened_at", "timestamptz"), Key.of("r.alert_id", "text"));
        return answers.page(listing.reversed(), parameters);
    }
}
