package dev.silkroute.app.collector;

import dev.silkroute.app.config.BmpListener;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.collector.sockets.BmpAcceptor;
import dev.silkroute.collector.sockets.FurtherListener;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** Opens the listeners of {@code silkroute.bmp-listeners}, as soon as the collector's route listens. */
@Singleton
final class FurtherListeners {
    private final Map<BmpListener, FurtherListener> listeners = new LinkedHashMap<>();

    void start(
            @Observes StartupEvent event,
            StationConfig config,
            RouterKeys keys,
            @Named("bmpAcceptor") Instance<BmpAcceptor> acceptors,
            MeterRegistry meters) {
        if (!config.roles().has(Role.COLLECTOR)) {
            return;
        }
        for (BmpListener configured : BmpListener.of(config)) {
            FurtherListener listener = new FurtherListener(
                    keys.transport(),
                    acceptors.get(),
                    config.bmpPort(),
                    new InetSocketAddress(
                            configured.host(), configured.address().port()),
                    configured.isTls());
            new MeterGroup<>(meters, listener, "listener", configured.toString())
                    .gauge(Metric.BMP_LISTENER_OPEN, open -> open.isOpen() ? 1 : 0)
                    .counter(Metric.BMP_LISTENER_ACCEPTED, FurtherListener::accepted);
            listeners.put(configured, listener);
        }
        listeners.values().forEach(FurtherListener::start);
    }

    /** Returns whether each listener is open. */
    Map<BmpListener, Boolean> states() {
        Map<BmpListener, Boolean> states = new LinkedHashMap<>();
        listeners.forEach((configured, listener) -> states.put(configured, listener.isOpen()));
        return states;
    }

    @PreDestroy
    void stop() {
        listeners.values().forEach(FurtherListener::close);
    }
}
