package dev.silkroute.app.meters;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.util.Set;

/** Adapts the metrics of libraries (JVM, HTTP server, Netty) to the conventions that {@code promtool} checks. */
final class LibraryMeters {
    private static final double NANOS = 1e9;

    /**
     * process.cpu.time is in nanoseconds; process_cpu_seconds_total replaces it. http.server.connections is a long task
     * timer, whose samples are of no type that Prometheus has; http_server_active_connections counts connections.
     */
    private static final Set<String> DENIED = Set.of("process.cpu.time", "http.server.connections");

    private LibraryMeters() {}

    @Produces
    @Singleton
    static MeterFilter conventions() {
        return new MeterFilter() {
            @Override
            public MeterFilterReply accept(Meter.Id id) {
                return DENIED.contains(id.getName()) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
            }

            @Override
            public Meter.Id map(Meter.Id id) {
                // The suffix _count is reserved for summaries
                Meter.Id named = id.getName().equals("system.cpu.count") ? id.withName("system.cpus") : id;
                return named.getDescription() != null
                        ? named
                        : new Meter.Id(
                                named.getName(),
                                Tags.of(named.getTagsAsIterable()),
                                named.getBaseUnit(),
                                "A metric of a library, which gives no description",
                                named.getType());
            }
        };
    }

    @Produces
    @Singleton
    static MeterBinder processorTime() {
        return registry -> {
            if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
                FunctionCounter.builder("process.cpu.seconds", system, s -> s.getProcessCpuTime() / NANOS)
                        .description("Processor time used by the station")
                        .register(registry);
            }
        };
    }
}
