package dev.silkroute.app.rib;

import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibStatistics;
import dev.silkroute.rib.RouteOutcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** The meters of the RIB, and of the collector's where there is one: read from its own counters when somebody asks, once for all meters. */
@Singleton
final class RibMeters {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    void register(
            @Observes StartupEvent start,
            MeterRegistry registry,
            Rib rib,
            RibFeed feed,
            @Identifier(RibBeans.COLLECTOR) Instance<Rib> collector,
            @ConfigProperty(name = "silkroute.changes.enabled", defaultValue = "false") boolean changes) {
        new Meters(registry, rib, "rib").register();
        FunctionCounter.builder("rib.gap.records", feed, RibFeed::gapRecords)
                .description(
                        "Records that Kafka had no more when the RIB came to them, and that were in no state either")
                .register(registry);
        if (changes) {
            new Meters(registry, collector.get(), "collector.rib").register();
        }
    }

    /** Those of one RIB. */
    private static final class Meters {
        private final MeterRegistry registry;
        private final Rib rib;
        private final String prefix;
        private @Nullable RibStatistics last;
        private long readAt;

        Meters(MeterRegistry registry, Rib rib, String prefix) {
            this.registry = registry;
            this.rib = rib;
            this.prefix = prefix;
        }

        void register() {
            gauge("routes", "Routes in the RIB", RibStatistics::routes);
            gauge(
                    "routes.hidden",
                    "Routes that nobody sees any more, and that are still to be swept",
                    RibStatistics::hidden);
            gauge(
                    "prefixes",
                    "Distinct keys: prefixes by table and RD, and NLRI of other families",
                    RibStatistics::prefixes);
            gauge("attribute.sets", "Distinct attribute sets in the RIB", RibStatistics::attributeSets);
            gauge("peers", "Peers that the RIB knows", RibStatistics::peers);
            gauge("reserved.bytes", "Memory that the RIB has reserved", RibStatistics::reservedBytes);
            gauge("limit.bytes", "Memory that the RIB may reserve", RibStatistics::limitBytes);
            gauge(
                    "rejected.routes",
                    "Announced routes that the RIB had no memory for: it says less than the routers do",
                    RibStatistics::rejected);
            for (RouteOutcome outcome : RouteOutcome.values()) {
                FunctionCounter.builder(
                                prefix + ".events",
                                this,
                                own -> own.statistics().outcomes().getOrDefault(outcome, 0L))
                        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                        .description("Events by what they did to the RIB")
                        .register(registry);
            }
        }

        private void gauge(String name, String description, ToDoubleFunction<RibStatistics> value) {
            Gauge.builder(prefix + "." + name, this, own -> value.applyAsDouble(own.statistics()))
                    .description(description)
                    .strongReference(true)
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
}
