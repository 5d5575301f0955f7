package dev.silkroute.app.alert;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.ServiceStatus;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the alert rules again when their file has changed, and restarts the lane with them: it loads the current state,
 * as when the station starts. An invalid file changes nothing.
 */
@Singleton
final class RulesReload {
    private static final Logger LOGGER = Logger.getLogger(RulesReload.class);
    private static final String ROUTE = "alerts";
    private static final long STOP_SECONDS = 30;

    private final StationConfig config;
    private final AlertEvaluator evaluator;
    private final AlertFeed feed;
    private final CamelContext camel;
    private @Nullable PeriodicTask reloading;

    @Inject
    RulesReload(StationConfig config, AlertEvaluator evaluator, AlertFeed feed, CamelContext camel) {
        this.config = config;
        this.evaluator = evaluator;
        this.feed = feed;
        this.camel = camel;
    }

    void start(@Observes StartupEvent event) {
        if (config.routes().alerts().enabled() && config.roles().has(Role.WRITER)) {
            reloading = new PeriodicTask("alert rules", "alert-rules", this::reload);
            reloading.start(config.alerts().reloadInterval());
        }
    }

    /** @throws Exception if the route does not stop or start; the next run tries again */
    void reload() throws Exception {
        if (!evaluator.readRules()) {
            return;
        }
        var routes = camel.getRouteController();
        if (routes.getRouteStatus(ROUTE) != ServiceStatus.Started) {
            return; // until it is started again
        }
        if (!routes.stopRoute(ROUTE, STOP_SECONDS, TimeUnit.SECONDS, true)) {
            throw new IllegalStateException("the route " + ROUTE + " has not stopped within " + STOP_SECONDS + " s");
        }
        try {
            feed.useRules();
            LOGGER.info("The routes are evaluated by the new alert rules");
        } finally {
            routes.startRoute(ROUTE);
        }
    }

    @PreDestroy
    void stop() {
        if (reloading != null) {
            reloading.close();
        }
    }
}
