package dev.silkroute.app.live;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.apache.camel.CamelContext;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Readiness of the live stream: its lane has read the end of the topic. Up without the packaged route. */
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
        boolean on = camel.getRoute(ROUTE) != null;
        String state = !on ? "off" : feed.isPositioned() ? "ready" : "waiting for partitions";
        return HealthCheckResponse.named("live")
                .status(!on || feed.isPositioned())
                .withData("state", state)
                .build();
    }
}
