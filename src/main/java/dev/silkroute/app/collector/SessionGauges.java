package dev.silkroute.app.collector;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.GaugeRows;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.session.BmpSession;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gauges of single sessions, by router and address. The list of sessions is refreshed periodically; the values are read
 * at each scrape. Where a router has several sessions from one address, the newest counts.
 */
@Singleton
final class SessionGauges {
    private static final double MICROS = 1e6;

    record Router(String name, String address) {
        /** A router must not be able to choose names and addresses whose hashes are equal. */
        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of(KeyedHash.of(0, address), name));
        }
    }

    private final SessionRegistry sessions;
    private final StationConfig config;
    private final Clock clock = Clock.systemUTC();
    private final GaugeRows<Router, OpenSession> idle;
    private final GaugeRows<Router, OpenSession> messages;
    private final GaugeRows<Router, OpenSession> skew;
    private final AtomicInteger omitted = new AtomicInteger();
    private final PeriodicTask refresh = new PeriodicTask("sessions", "silkroute-session-gauges", this::update);

    SessionGauges(SessionRegistry sessions, StationConfig config, MeterRegistry meters) {
        this.sessions = sessions;
        this.config = config;
        idle = new GaugeRows<>(meters, Metric.BMP_SESSION_IDLE, SessionGauges::tags, this::idleSeconds);
        messages = new GaugeRows<>(meters, Metric.BMP_SESSION_MESSAGES, SessionGauges::tags, SessionGauges::messages);
        skew = new GaugeRows<>(meters, Metric.BMP_ROUTER_CLOCK_SKEW, SessionGauges::tags, SessionGauges::skewSeconds);
        new MeterGroup<>(meters, omitted).gauge(Metric.BMP_ROUTERS_OMITTED, AtomicInteger::get);
    }

    void start(@Observes StartupEvent event) {
        refresh.start(config.sessions().metricsInterval());
    }

    private void update() {
        Map<Router, OpenSession> newest = new HashMap<>();
        for (OpenSession session : sessions.all()) {
            newest.merge(
                    new Router(session.router(), session.address().getHostAddress()),
                    session,
                    (one, other) -> one.id() > other.id() ? one : other);
        }
        omitted.set(limit(newest));
        idle.set(newest);
        messages.set(newest);
        newest.values().removeIf(session -> skewMicros(session).isEmpty());
        skew.set(newest);
    }

    /**
     * Keeps the routers with the oldest sessions, so that the metrics of a router do not come and go.
     *
     * @return the number of routers removed
     */
    private int limit(Map<Router, OpenSession> sessions) {
        int excess = sessions.size() - config.sessions().metricsLimit();
        if (excess <= 0) {
            return 0;
        }
        sessions.values().stream()
                .sorted(Comparator.comparingLong(OpenSession::id).reversed())
                .limit(excess)
                .toList()
                .forEach(sessions.values()::remove);
        return excess;
    }

    private static Tags tags(Router router) {
        return Tags.of("router", router.name, "address", router.address);
    }

    private double idleSeconds(OpenSession session) {
        return Math.max(0, ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()) - session.lastByteAtMicros())
                / MICROS;
    }

    private static double messages(OpenSession session) {
        BmpSession decoder = session.decoder();
        return decoder == null ? 0 : decoder.messages();
    }

    private static double skewSeconds(OpenSession session) {
        OptionalLong micros = skewMicros(session);
        return micros.isPresent() ? micros.getAsLong() / MICROS : Double.NaN;
    }

    private static OptionalLong skewMicros(OpenSession session) {
        BmpSession decoder = session.decoder();
        return decoder == null ? OptionalLong.empty() : decoder.clockSkewMicros();
    }

    @PreDestroy
    void stop() {
        refresh.close();
    }
}
