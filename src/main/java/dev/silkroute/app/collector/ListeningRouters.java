package dev.silkroute.app.collector;

import dev.silkroute.app.config.BmpConnect;
import dev.silkroute.app.config.HostPort;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.collector.sockets.BmpAcceptor;
import dev.silkroute.collector.sockets.BmpConnector;
import dev.silkroute.collector.sockets.ListeningRouter;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** Connects to the routers of {@code silkroute.bmp-connect.addresses}, as soon as the collector's route listens. */
@Singleton
final class ListeningRouters {
    private final List<ListeningRouter> routers = new ArrayList<>();

    void start(
            @Observes StartupEvent event,
            StationConfig config,
            RouterKeys keys,
            @Named("bmpAcceptor") Instance<BmpAcceptor> acceptors,
            MeterRegistry meters) {
        BmpConnect settings = BmpConnect.of(config.bmpConnect());
        if (settings.routers().isEmpty() || !config.roles().has(Role.COLLECTOR)) {
            return;
        }
        BmpAcceptor acceptor = acceptors.get();
        BmpConnector connector = new BmpConnector(keys.transport(), acceptor, settings.timeout());
        for (HostPort configured : settings.routers()) {
            ListeningRouter router = new ListeningRouter(
                    acceptor,
                    connector,
                    config.bmpPort(),
                    configured.host(),
                    configured.port(),
                    new ListeningRouter.Settings(settings.retryDelay(), settings.maxRetryDelay()));
            new MeterGroup<>(meters, router, "address", router.address())
                    .gauge(Metric.BMP_CONNECTED, connected -> connected.isConnected() ? 1 : 0)
                    .counter(Metric.BMP_CONNECT_ATTEMPTS, ListeningRouter::established, "outcome", "established")
                    .counter(Metric.BMP_CONNECT_ATTEMPTS, ListeningRouter::failed, "outcome", "failed");
            routers.add(router);
        }
        routers.forEach(ListeningRouter::start);
    }

    @PreDestroy
    void stop() {
        routers.forEach(ListeningRouter::close);
    }
}
