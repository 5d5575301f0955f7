package dev.silkroute.app.rib;

import dev.silkroute.app.config.StationConfig;
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
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the RIB, and of the collector's RIB if there is one. A scrape reads the RIB's counters once for all
 * metrics.
 */
@Singleton
final class RibMeters {
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    void register(
            @Observes StartupEvent start,
            MeterRegistry registry,
            Rib rib,
            RibFeed feed,
            @Identifier(RibBeans.COLLECTOR) Instance<Rib> collector,
            StationConfig config) {
        new RibMetrics(registry, rib, "rib").register();
        FunctionCounter.builder("rib.gap.records", feed, RibFeed::gapRecords)
                .description(
                        "Records that expired in Kafka before the RIB read them, and that the database does not include either")
                .register(registry);
        if (config.changes().enabled()) {
            new RibMetrics(registry, collector.get(), "collector.rib").register();
        }
    }

    /** The metrics of one RIB. */
    private static final class RibMetrics {
        private final MeterRegistry registry;
        private final Rib rib;
        private final String prefix;
        private @Nullable RibStatistics last;
        private long readAt;

        RibMetrics(MeterRegistry registry, Rib rib, String prefix) {
            this.registry = registry;
            this.rib = rib;
            this.prefix = prefix;
        }

        void register() {
            gauge("routes", "Routes in the RIB", RibStatistics::routes);
            gauge("routes.hidden", "Ended routes that are still to be purged", RibStatistics::hidden);
            gauge(
                    "prefixes",
                    "Distinct prefixes per table and RD, and NLRI of other families",
                    RibStatistics::prefixes);
            gauge("attribute.sets", "Distinct attribute sets in the RIB", RibStatistics::attributeSets);
            gauge("peers", "Peers that have or had routes", RibStatistics::peers);
            gauge("reserved.bytes", "Memory reserved by the RIB", RibStatistics::reservedBytes);
            gauge("limit.bytes", "Limit of the memory reserved by the RIB", RibStatistics::limitBytes);
            gauge(
                    "rejected.routes",
                    "Announced routes that are missing because they were rejected for lack of memory or of a table",
                    RibStatistics::rejected);
            gauge(
                    "evicted.routes",
                    "Routes removed since the start to make room for those of other routers",
                    RibStatistics::evicted);
            for (RouteOutcome outcome : RouteOutcome.values()) {
                FunctionCounter.builder(
                                prefix + ".events",
                                this,
                                metrics -> metrics.statistics().outcomes().getOrDefault(outcome, 0L))
                        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                        .description("Events by their outcome in the RIB")
                        .register(registry);
            }
        }

        private void gauge(String name, String description, ToDoubleFunction<RibStatistics> value) {
            Gauge.builder(prefix + "." + name, this, metrics -> value.applyAsDouble(metrics.statistics()))
                    .description(description)
                    .strongReference(true)
                    .register(registry);
        }

        private synchronized RibStatistics statistics() {
            RibStatistics known = last;
            if (known == null || System.nanoTime() - readAt > MAX_AGE_NANOS) {
                known = rib.statistics();
                last = known;
                readAt = System.nanoTime();
            }
            return known;
        }
    }
}
