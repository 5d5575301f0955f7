package dev.silkroute.component.nettyff;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.apache.camel.CamelContext;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint's statistics as Micrometer meters. No other class of the package refers to Micrometer's classes, so the
 * component works without Micrometer on the class path.
 */
final class NettyFfMetrics {
    private static final String REGISTRY = "io.micrometer.core.instrument.MeterRegistry";

    private final MeterRegistry registry;
    private final NettyFfEndpoint endpoint;
    private final Tags tags;
    private final List<Meter> meters = new ArrayList<>();

    private NettyFfMetrics(MeterRegistry registry, NettyFfEndpoint endpoint) {
        this.registry = registry;
        this.endpoint = endpoint;
        tags = Tags.of("address", endpoint.getAddress(), "endpoint", Integer.toString(endpoint.number()));
    }

    /** Returns whether Micrometer is on the class path. */
    static boolean isAvailable(CamelContext camel) {
        return camel.getClassResolver().resolveClass(REGISTRY) != null;
    }

    /** Registers the meters if Camel's registry has a {@link MeterRegistry}. The returned action removes them. */
    static Runnable bind(NettyFfEndpoint endpoint) {
        Set<MeterRegistry> registries = endpoint.getCamelContext().getRegistry().findByType(MeterRegistry.class);
        return registries.stream()
                .filter(registry -> registries.size() == 1 || registry instanceof CompositeMeterRegistry)
                .findFirst()
                .or(() -> registries.stream().findFirst())
                .map(registry -> new NettyFfMetrics(registry, endpoint).register())
                .orElse(() -> {});
    }

    private Runnable register() {
        counter("netty.ff.accepted", "messages", "Messages accepted for sending", s -> s.accepted());
        counter("netty.ff.written", "messages", "Messages written to the socket", s -> s.written());
        counter("netty.ff.failed", "messages", "Messages accepted but lost before they were written", s -> s.failed());
        counter("netty.ff.dropped", "messages", "Messages dropped because the buffer was full", s -> s.dropped());
        counter("netty.ff.refused", "messages", "Messages refused, whose exchange failed", s -> s.refused());
        counter("netty.ff.flushes", null, "Buffers handed to the socket", s -> s.flushes());
        counter("netty.ff.reconnects", null, "Connections after the first", s -> s.reconnects());
        counter("netty.ff.blocked", "seconds", "Time that senders have waited for space", s -> s.blockedNanos() / 1e9);
        gauge("netty.ff.pending", "messages", "Messages accepted and not yet written or lost", s -> s.pending());
        gauge("netty.ff.pending.size", "bytes", "Bytes of the pending messages", s -> s.pendingBytes());
        return () -> meters.forEach(registry::remove);
    }

    private void counter(
            String name, @Nullable String unit, String description, ToDoubleFunction<NettyFfStatistics> value) {
        meters.add(FunctionCounter.builder(name, endpoint, e -> value.applyAsDouble(e.getStatistics()))
                .baseUnit(unit)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private void gauge(String name, String unit, String description, ToDoubleFunction<NettyFfStatistics> value) {
        meters.add(Gauge.builder(name, endpoint, e -> value.applyAsDouble(e.getStatistics()))
                .baseUnit(unit)
                .description(description)
                .tags(tags)
                .register(registry));
    }
}
