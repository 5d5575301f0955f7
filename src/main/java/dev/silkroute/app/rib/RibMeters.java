package dev.silkroute.app.rib;

import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibStatistics;
import dev.silkroute.rib.RouteOutcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The RIB's meters: read from its own counters when somebody asks, once for all meters. */
@Singleton
final class RibMeters {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Rib rib;
    private @Nullable RibStatistics last;
    private long readAt;

    RibMeters(Rib rib) {
        this.rib = rib;
    }

    void register(@Observes StartupEvent start, MeterRegistry registry) {
        gauge(registry, "rib.routes", "Routes in the RIB", RibStatistics::routes);
        gauge(
                registry,
                "rib.routes.hidden",
                "Routes that nobody sees any more, and that are still to be swept",
                RibStatistics::hidden);
        gauge(
                registry,
                "rib.prefixes",
                "Distinct keys: prefixes by table and RD, and NLRI of other families",
                RibStatistics::prefixes);
        gauge(registry, "rib.attribute.sets", "Distinct attribute sets in the RIB", RibStatistics::attributeSets);
        gauge(registry, "rib.peers", "Peers that the RIB knows", RibStatistics::peers);
        gauge(registry, "rib.reserved.bytes", "Memory that the RIB has reserved", RibStatistics::reservedBytes);
        gauge(
                registry,
                "rib.limit.bytes",
                "Memory that the RIB may reserve (silkroute.rib.memory)",
                RibStatistics::limitBytes);
        gauge(
                registry,
                "rib.lacking.routes",
                "Announced routes that the RIB had no memory for: it says less than the routers do",
                RibStatistics::lacking);
        for (RouteOutcome outcome : RouteOutcome.values()) {
            FunctionCounter.builder(
                            "rib.events",
                            this,
                            own -> own.statistics().outcomes().getOrDefault(outcome, 0L))
                    .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                    .description("Events by what they did to the RIB")
                    .register(registry);
        }
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<RibStatistics> value) {
        Gauge.builder(name, this, own -> value.applyAsDouble(own.statistics()))
                .description(description)
                .register(registry);
    }

    private synchronized RibStatistics statistics() {
        RibStatistics known = last;
        if (known == null || System.nanoTime() - readAt > FRESH_NANOS) {
            known = rib.statistics();
            last = known;
            readAt = System.nanoTime();
        }
        return known;
    }
}
