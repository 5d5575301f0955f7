package dev.silkroute.component;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;

/**
 * The meters of one endpoint or pool in a Micrometer registry, which read an object's values and are removed together.
 *
 * <p>Components work without Micrometer: they call {@link #isAvailable} before they use anything else of this class,
 * and refer to Micrometer in one class only, whose name ends in {@code Meters}.
 *
 * @param <T> the object whose values the meters read
 */
public final class MeterGroup<T> {
    private final MeterRegistry registry;
    private final T source;
    private final Tags tags;
    private final List<Meter> meters = new ArrayList<>();

    /** @param tags name and value of each tag that all of the meters have */
    public MeterGroup(MeterRegistry registry, T source, String... tags) {
        this.registry = registry;
        this.source = source;
        this.tags = Tags.of(tags);
    }

    /** True if Micrometer is on the class path. */
    public static boolean isAvailable(CamelContext camel) {
        return camel.getClassResolver().resolveClass("io.micrometer.core.instrument.MeterRegistry") != null;
    }

    /** Returns the Micrometer registry among the context's beans; of several, the composite one. */
    private static Optional<MeterRegistry> registry(CamelContext camel) {
        Set<MeterRegistry> registries = camel.getRegistry().findByType(MeterRegistry.class);
        return registries.stream()
                .filter(CompositeMeterRegistry.class::isInstance)
                .findFirst()
                .or(() -> registries.stream().findFirst());
    }

    /**
     * Registers meters in the Micrometer registry among the context's beans, if it has one.
     *
     * @return removes the meters again
     */
    public static Runnable bind(CamelContext camel, Function<MeterRegistry, MeterGroup<?>> meters) {
        return registry(camel).map(meters).<Runnable>map(group -> group::remove).orElse(() -> {});
    }

    /** Returns a counter that is incremented by its caller. */
    public static Counter counter(MeterRegistry registry, Metric metric, String... tags) {
        return Counter.builder(metric.meterName())
                .description(metric.description())
                .tags(checked(metric, Tags.of(tags)))
                .register(registry);
    }

    /** Returns a timer whose durations are recorded by its caller. */
    public static Timer timer(MeterRegistry registry, Metric metric, String... tags) {
        return Timer.builder(metric.meterName())
                .description(metric.description())
                .tags(checked(metric, Tags.of(tags)))
                .register(registry);
    }

    /** Returns a gauge whose rows come and go. Each row must have the metric's tags. */
    public static MultiGauge multiGauge(MeterRegistry registry, Metric metric) {
        return MultiGauge.builder(metric.meterName())
                .description(metric.description())
                .register(registry);
    }

    /** @param moreTags beside those of the group */
    public MeterGroup<T> counter(Metric metric, ToDoubleFunction<T> value, String... moreTags) {
        meters.add(FunctionCounter.builder(metric.meterName(), source, value)
                .description(metric.description())
                .tags(checked(metric, tags.and(moreTags)))
                .register(registry));
        return this;
    }

    /**
     * Registers a gauge, which keeps the source reachable.
     *
     * @param moreTags beside those of the group
     */
    public MeterGroup<T> gauge(Metric metric, ToDoubleFunction<T> value, String... moreTags) {
        meters.add(Gauge.builder(metric.meterName(), source, value)
                .description(metric.description())
                .tags(checked(metric, tags.and(moreTags)))
                .strongReference(true)
                .register(registry));
        return this;
    }

    /** Registers a timer that reads how many operations there were and how long they took together. */
    public MeterGroup<T> timer(Metric metric, ToLongFunction<T> count, ToLongFunction<T> nanos) {
        meters.add(FunctionTimer.builder(metric.meterName(), source, count, nanos::applyAsLong, TimeUnit.NANOSECONDS)
                .description(metric.description())
                .tags(checked(metric, tags))
                .register(registry));
        return this;
    }

    private static Tags checked(Metric metric, Tags tags) {
        Set<String> keys = tags.stream().map(Tag::getKey).collect(Collectors.toSet());
        if (!keys.equals(Set.copyOf(metric.tags()))) {
            throw new IllegalArgumentException(metric + " has the tags " + metric.tags() + ", not " + keys);
        }
        return tags;
    }

    /** Removes the meters from the registry. */
    public void remove() {
        meters.forEach(registry::remove);
    }
}
