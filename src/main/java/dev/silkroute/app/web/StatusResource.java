package dev.silkroute.app.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Roles;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.Version;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/status}: an overview of the station. While PostgreSQL or Kafka is unavailable, the response omits
 * what comes from there and names the failure under {@code problems}.
 */
@Path("/api/v1/status")
@Produces(MediaType.APPLICATION_JSON)
public final class StatusResource {
    private static final String EMPTY = "{\"total\":0}";

    /** The list is limited to 500 routers; the totals cover all. */
    private static final String ROUTERS = """
        select count(*) as total, count(*) filter (where state = 'connected') as connected,
          coalesce(json_agg(json_build_object('router', router, 'address', address, 'state', state,
              'connected_at', connected_at, 'peers', peers, 'peers_up', peers_up) order by router)
            filter (where place <= 500), '[]') as list
        from (select router, address, state, connected_at,
            (select count(*) from bmp.v_peers p where p.router = r.router) as peers,
            (select count(*) from bmp.v_peers p where p.router = r.router and p.state = 'up') as peers_up,
            row_number() over (order by router) as place
          from bmp.v_routers r) t\
        """;

    private static final String PEERS = """
        select count(*) as total, count(*) filter (where state = 'up') as up,
          count(*) filter (where state = 'stale') as stale
        from bmp.v_peers\
        """;

    private static final String INCOMPLETE =
            "select count(*) as routers from bmp.live_session where incomplete and live";

    private final JsonQueries database;
    private final TopicProgress topics;
    private final MeterRegistry meters;
    private final CamelContext camel;
    private final SessionRegistry collector;
    private final Roles roles;

    /** The state of a route, and where it is defined. */
    record RouteState(String id, String state, String source) {}

    /** The table in memory, and how many route events have been applied to it. */
    record Rib(long routes, long prefixes, long events) {}

    /** The response; without {@code rib} unless the station has that role. */
    record Status(
            String version,
            @JsonProperty("started_at") Instant startedAt,
            @JsonProperty("uptime_seconds") long uptimeSeconds,
            List<String> roles,
            long sessions,
            @JsonRawValue String routers,
            @JsonRawValue String peers,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Rib rib,

            List<TopicProgress.Topic> topics,
            List<RouteState> routes,
            List<String> problems,
            List<String> notices) {}

    @Inject
    StatusResource(
            JsonQueries database,
            TopicProgress topics,
            MeterRegistry meters,
            CamelContext camel,
            SessionRegistry collector,
            StationConfig config) {
        this.database = database;
        this.topics = topics;
        this.meters = meters;
        this.camel = camel;
        this.collector = collector;
        roles = config.roles();
    }

    @GET
    public Status status() {
        var problems = new ArrayList<String>();
        var routersAndPeers = routersAndPeers(problems);
        var runtime = ManagementFactory.getRuntimeMXBean();
        return new Status(
                Version.text(),
                Instant.ofEpochMilli(runtime.getStartTime()),
                runtime.getUptime() / 1000,
                roles.all().stream().map(Role::text).toList(),
                sessions(),
                routersAndPeers.getFirst(),
                routersAndPeers.getLast(),
                rib(),
                topics(problems),
                camel.getRoutes().stream().map(this::state).toList(),
                problems,
                collector.notices());
    }

    private long sessions() {
        return gauge(Metric.BMP_SESSIONS);
    }

    private @Nullable Rib rib() {
        if (!roles.has(Role.RIB)) {
            return null;
        }
        var events = meters.find(Metric.RIB_EVENTS.meterName())
                .tag("role", Role.RIB.text())
                .functionCounters();
        return new Rib(gauge(Metric.RIB_ROUTES), gauge(Metric.RIB_PREFIXES), (long)
                events.stream().mapToDouble(FunctionCounter::count).sum());
    }

    private long gauge(Metric metric) {
        var search = meters.find(metric.meterName());
        var gauge = (metric.tags().contains("role") ? search.tag("role", Role.RIB.text()) : search).gauge();
        return gauge == null ? 0 : (long) gauge.value();
    }

    private List<String> routersAndPeers(List<String> problems) {
        if (!roles.needDatabase()) {
            return List.of(EMPTY, EMPTY);
        }
        try {
            List<String> found = database.objects(ROUTERS, PEERS, INCOMPLETE);
            String incomplete = found.getLast().replaceAll("\\D", "");
            if (!incomplete.equals("0")) {
                problems.add("Records of " + incomplete + " routers are missing, so their routes count as stale");
            }
            return found.subList(0, 2);
        } catch (SQLException e) {
            problems.add("PostgreSQL is unavailable: " + OperatorError.reason(e));
            return List.of(EMPTY, EMPTY);
        }
    }

    private List<TopicProgress.Topic> topics(List<String> problems) {
        try {
            return topics.read();
        } catch (ExecutionException | TimeoutException e) {
            problems.add("Kafka is unavailable: " + OperatorError.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return List.of();
    }

    private RouteState state(Route route) {
        var state = camel.getRouteController().getRouteStatus(route.getRouteId());
        var source = route.getSourceLocation();
        return new RouteState(
                route.getRouteId(),
                state == null ? "unknown" : state.name().toLowerCase(Locale.ROOT),
                source == null ? "" : source);
    }
}
