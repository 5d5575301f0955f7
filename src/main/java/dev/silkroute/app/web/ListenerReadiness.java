package dev.silkroute.app.web;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.routes.Listeners;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.apache.camel.CamelContext;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Reports ready while a route listens on the BMP port, so that routers can connect; always without the role
 * collector.
 */
@Readiness
@ApplicationScoped
class ListenerReadiness implements HealthCheck {
    private final CamelContext camel;
    private final int port;

    @Inject
    ListenerReadiness(CamelContext camel, StationConfig config) {
        this.camel = camel;
        port = config.bmpPort();
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("bmp-listener")
                .status(port == 0 || Listeners.isListening(camel, port))
                .withData("port", port)
                .build();
    }
}
