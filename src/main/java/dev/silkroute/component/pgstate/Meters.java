package dev.silkroute.component.pgstate;

import dev.silkroute.postgres.withdrawal.WithdrawalCause;
import dev.silkroute.postgres.withdrawal.WithdrawalStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.apache.camel.CamelContext;

/**
 * The statistics of withdrawals as Micrometer meters, where Micrometer is there and a registry bean too. Nothing else of the room refers to
 * Micrometer's classes, so that it can do without.
 */
final class Meters {
    private static final String REGISTRY = "io.micrometer.core.instrument.MeterRegistry";

    private final MeterRegistry registry;
    private final WithdrawalStatistics statistics;
    private final List<Meter> meters = new ArrayList<>();

    private Meters(MeterRegistry registry, WithdrawalStatistics statistics) {
        this.registry = registry;
        this.statistics = statistics;
    }

    static boolean available(CamelContext camel) {
        return camel.getClassResolver().resolveClass(REGISTRY) != null;
    }

    /** Registers the meters, if there is a registry; what it returns removes them again. */
    static Runnable bind(CamelContext camel, WithdrawalStatistics statistics) {
        Set<MeterRegistry> registries = camel.getRegistry().findByType(MeterRegistry.class);
        return registries.stream()
                .filter(registry -> registries.size() == 1 || registry instanceof CompositeMeterRegistry)
                .findFirst()
                .or(() -> registries.stream().findFirst())
                .map(registry -> new Meters(registry, statistics).register())
                .orElse(() -> {});
    }

    private Runnable register() {
        for (WithdrawalCause cause : WithdrawalCause.values()) {
            meters.add(FunctionCounter.builder("pgstate.withdrawn.routes", statistics, s -> s.routes(cause))
                    .description("Routes withdrawn for their routers, by cause")
                    .tag("cause", cause.text())
                    .register(registry));
        }
        counter(
                "pgstate.expired.tables",
                "A peer's routes in one view that ended because their time was over",
                WithdrawalStatistics::expiredTables);
        counter("pgstate.sweeps", "Runs that came to their end", WithdrawalStatistics::runs);
        counter("pgstate.sweep.failures", "Runs that failed", WithdrawalStatistics::failures);
        gauge("pgstate.waiting.tables", "Tables that wait for a sweep", WithdrawalStatistics::waitingTables);
        gauge(
                "pgstate.waiting.withdrawals",
                "Withdrawals that wait for their topic",
                WithdrawalStatistics::waitingWithdrawals);
        gauge(
                "pgstate.last.sweep.timestamp.seconds",
                "When the last run came to its end, since 1970; 0 before the first",
                WithdrawalStatistics::lastRunSeconds);
        gauge(
                "pgstate.last.sweep.duration.seconds",
                "How long the last run took",
                WithdrawalStatistics::lastTookSeconds);
        return () -> meters.forEach(registry::remove);
    }

    private void counter(String name, String description, ToDoubleFunction<WithdrawalStatistics> value) {
        meters.add(FunctionCounter.builder(name, statistics, value)
                .description(description)
                .register(registry));
    }

    private void gauge(String name, String description, ToDoubleFunction<WithdrawalStatistics> value) {
        meters.add(
                Gauge.builder(name, statistics, value).description(description).register(registry));
    }
}
