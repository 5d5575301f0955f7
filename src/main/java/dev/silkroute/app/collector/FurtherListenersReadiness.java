package dev.silkroute.app.collector;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Reports ready while all listeners of {@code silkroute.bmp-listeners} are open. */
@Readiness
@ApplicationScoped
class FurtherListenersReadiness implements HealthCheck {
    private final FurtherListeners listeners;

    @Inject
    FurtherListenersReadiness(FurtherListeners listeners) {
        this.listeners = listeners;
    }

    @Override
    public HealthCheckResponse call() {
        var response = HealthCheckResponse.named("bmp-listeners");
        listeners.states().forEach((listener, isOpen) -> response.withData(listener.toString(), isOpen));
        return response.status(!listeners.states().containsValue(false)).build();
    }
}
