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

/** {@code /api/v1/alerts}: the rows of {@code v_alerts}, newest first, in pages; by default those that are open. */
@Path("/api/v1")
@Produces({MediaType.APPLICATION_JSON, Answers.NDJSON})
public final class AlertResource {
    private static final String OPEN = "open";

    private final Answers answers;

    @Inject
    AlertResource(Answers answers) {
        this.answers = answers;
    }

    @GET
    @Path("alerts")
    public Response alerts() throws SQLException {
        var parameters = answers.pageParameters(List.of("state", "rule", "router", "prefix"));
        var query = new SqlQuery().add("select v.* from bmp.v_alerts v where true");
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
