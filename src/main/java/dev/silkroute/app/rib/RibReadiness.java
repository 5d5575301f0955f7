package dev.silkroute.app.rib;

import dev.silkroute.app.config.Role;
import dev.silkroute.rib.Rib;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.OptionalLong;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Whether the RIB has caught up with what there was when it began. Up where there is no RIB. */
@Readiness
@ApplicationScoped
class RibReadiness implements HealthCheck {
    private final RibFeed feed;
    private final Rib rib;
    private final boolean wanted;

    @Inject
    RibReadiness(RibFeed feed, Rib rib, @ConfigProperty(name = "silkroute.roles") String roles) {
        this.feed = feed;
        this.rib = rib;
        wanted = Role.parse(roles).contains(Role.RIB);
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("rib");
        if (!wanted) {
            return answer.up().withData("state", "off").build();
        }
        OptionalLong behind = feed.behind();
        boolean ready = feed.ready();
        behind.ifPresent(records -> answer.withData("records-to-go", records));
        String state = ready ? "ready" : behind.isPresent() ? "catching up" : "reading the current state";
        return answer.status(ready)
                .withData("state", state)
                .withData("routes", rib.size())
                .build();
    }
}
