package dev.silkroute.app.live;

import dev.silkroute.component.lane.LaneEndpoint;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Readiness of the live stream: its lane has read the ends of its topics. Up without such a lane. */
@Readiness
@ApplicationScoped
class LiveReadiness implements HealthCheck {
    private static final String ROUTE = "live";

    private final LiveFeed feed;
    private final CamelContext camel;

    @Inject
    LiveReadiness(LiveFeed feed, CamelContext camel) {
        this.feed = feed;
        this.camel = camel;
    }

    @Override
    public HealthCheckResponse call() {
        Route route = camel.getRoute(ROUTE);
        boolean ready = !(route != null && route.getEndpoint() instanceof LaneEndpoint lane)
                || feed.isPositioned(lane.getConfiguration().topics());
        String state = route == null ? "off" : ready ? "ready" : "waiting for partitions";
        return HealthCheckResponse.named("live")
                .status(ready)
                .withData("state", state)
                .build();
    }
}
