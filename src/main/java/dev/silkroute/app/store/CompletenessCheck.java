package dev.silkroute.app.store;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Reports how many routers have incomplete routes. The station works all the same, so it is always up. */
@Readiness
@ApplicationScoped
class CompletenessCheck implements HealthCheck {
    private final ResyncRequests requests;
    private final boolean enabled;

    @Inject
    CompletenessCheck(ResyncRequests requests, StationConfig config) {
        this.requests = requests;
        enabled = config.roles().has(Role.WRITER);
    }

    @Override
    public HealthCheckResponse call() {
        var response = HealthCheckResponse.named("completeness").up();
        return enabled
                ? response.withData("incomplete-routers", requests.incompleteRouters())
                        .build()
                : response.withData("state", "off").build();
    }
}
