package dev.silkroute.app.rib;

import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibStatistics;
import dev.silkroute.rib.RouteOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
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
        new RibMetrics(rib).register(registry, Role.RIB);
        new MeterGroup<>(registry, feed)
                .counter(Metric.RIB_GAP_RECORDS, RibFeed::gapRecords)
                .counter(Metric.RIB_INVALID_ROWS, RibFeed::invalidRows);
        if (config.changes().enabled()) {
            new RibMetrics(collector.get()).register(registry, Role.COLLECTOR);
        }
    }

    /** The metrics of one RIB. */
    private static final class RibMetrics {
        private final Rib rib;
        private @Nullable RibStatistics last;
        private long readAt;

        RibMetrics(Rib rib) {
            this.rib = rib;
        }

        void register(MeterRegistry registry, Role role) {
            MeterGroup<RibMetrics> meters = new MeterGroup<>(registry, this, "role", role.text())
                    .gauge(Metric.RIB_ROUTES, rib -> rib.statistics().routes())
                    .gauge(Metric.RIB_ROUTES_HIDDEN, rib -> rib.statistics().hidden())
                    .gauge(Metric.RIB_PREFIXES, rib -> rib.statistics().prefixes())
                    .gauge(Metric.RIB_ATTRIBUTE_SETS, rib -> rib.statistics().attributeSets())
                    .gauge(Metric.RIB_PEERS, rib -> rib.statistics().peers())
                    .gauge(Metric.RIB_RESERVED, rib -> rib.statistics().reservedBytes())
                    .gauge(Metric.RIB_LIMIT, rib -> rib.statistics().limitBytes())
                    .gauge(Metric.RIB_INDEX, rib -> rib.statistics().indexBytes())
                    .gauge(Metric.RIB_REJECTED_ROUTES, rib -> rib.statistics().rejected())
                    .gauge(Metric.RIB_EVICTED_ROUTES, rib -> rib.statistics().evicted());
            for (RouteOutcome outcome : RouteOutcome.values()) {
                meters.counter(
                        Metric.RIB_EVENTS,
                        rib -> rib.statistics().outcomes().getOrDefault(outcome, 0L),
                        "outcome",
                        outcome.name().toLowerCase(Locale.ROOT));
            }
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
