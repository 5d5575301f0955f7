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
 * The endpoint's statistics as Micrometer meters, where Micrometer is there and a registry bean too. Nothing else of the room
 * refers to Micrometer's classes, so that it can do without.
 */
final class Meters {
    private static final String REGISTRY = "io.micrometer.core.instrument.MeterRegistry";

    private final MeterRegistry registry;
    private final NettyFfEndpoint endpoint;
    private final Tags tags;
    private final List<Meter> meters = new ArrayList<>();

    private Meters(MeterRegistry registry, NettyFfEndpoint endpoint) {
        this.registry = registry;
        this.endpoint = endpoint;
        tags = Tags.of("address", endpoint.getAddress(), "endpoint", Integer.toString(endpoint.number()));
    }

    static boolean available(CamelContext camel) {
        return camel.getClassResolver().resolveClass(REGISTRY) != null;
    }

    /** Registers the meters, if there is a registry; what it returns removes them again. */
    static Runnable bind(NettyFfEndpoint endpoint) {
        Set<MeterRegistry> registries = endpoint.getCamelContext().getRegistry().findByType(MeterRegistry.class);
        return registries.stream()
                .filter(registry -> registries.size() == 1 || registry instanceof CompositeMeterRegistry)
                .findFirst()
                .or(() -> registries.stream().findFirst())
                .map(registry -> new Meters(registry, endpoint).register())
                .orElse(() -> {});
    }

    private Runnable register() {
        counter(
                "netty.ff.accepted",
                "messages",
                "Messages whose exchange was told that all is well",
                s -> s.accepted());
        counter("netty.ff.written", "messages", "Messages that the kernel has taken", s -> s.written());
        counter("netty.ff.failed", "messages", "Messages accepted and lost", s -> s.failed());
        counter("netty.ff.dropped", "messages", "Messages dropped for want of room", s -> s.dropped());
        counter("netty.ff.refused", "messages", "Messages whose exchange failed", s -> s.refused());
        counter("netty.ff.flushes", null, "How often buffers were handed to the socket", s -> s.flushes());
        counter("netty.ff.reconnects", null, "Connections after the first", s -> s.reconnects());
        counter("netty.ff.blocked", "seconds", "Time that senders have waited for room", s -> s.blockedNanos() / 1e9);
        gauge("netty.ff.pending", "messages", "Messages accepted and neither written nor lost", s -> s.pending());
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
