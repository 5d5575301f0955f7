package dev.silkroute.app.rib;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.rib.Rib;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.OptionalLong;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Readiness of the RIB: it has caught up with what the topic contained when it was loaded. Up without the role rib. */
@Readiness
@ApplicationScoped
class RibReadiness implements HealthCheck {
    private final RibFeed feed;
    private final Rib rib;
    private final boolean enabled;

    @Inject
    RibReadiness(RibFeed feed, Rib rib, StationConfig config) {
        this.feed = feed;
        this.rib = rib;
        enabled = config.roles().has(Role.RIB);
    }

    @Override
    public HealthCheckResponse call() {
        var response = HealthCheckResponse.named("rib");
        if (!enabled) {
            return response.up().withData("state", "off").build();
        }
        OptionalLong toGo = feed.recordsToGo();
        boolean ready = feed.ready();
        toGo.ifPresent(records -> response.withData("records-to-go", records));
        String state = ready ? "ready" : toGo.isPresent() ? "catching up" : "reading the current state";
        return response.status(ready)
                .withData("state", state)
                .withData("routes", rib.size())
                .build();
    }
}
