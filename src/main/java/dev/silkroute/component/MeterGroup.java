package dev.silkroute.component;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.camel.CamelContext;
import org.jspecify.annotations.Nullable;

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
    private @Nullable String unit;

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

    /** Sets the base unit of the meters that follow, which ends their names in Prometheus. */
    public MeterGroup<T> unit(String baseUnit) {
        unit = baseUnit;
        return this;
    }

    /** @param moreTags beside those of the group */
    public MeterGroup<T> counter(String name, String description, ToDoubleFunction<T> value, String... moreTags) {
        meters.add(FunctionCounter.builder(name, source, value)
                .description(description)
                .baseUnit(unit)
                .tags(tags.and(moreTags))
                .register(registry));
        return this;
    }

    public MeterGroup<T> gauge(String name, String description, ToDoubleFunction<T> value) {
        meters.add(Gauge.builder(name, source, value)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry));
        return this;
    }

    /** Registers a timer that reads how many operations there were and how long they took together. */
    public MeterGroup<T> timer(String name, String description, ToLongFunction<T> count, ToLongFunction<T> nanos) {
        meters.add(FunctionTimer.builder(name, source, count, nanos::applyAsLong, TimeUnit.NANOSECONDS)
                .description(description)
                .tags(tags)
                .register(registry));
        return this;
    }

    /** Removes the meters from the registry. */
    public void remove() {
        meters.forEach(registry::remove);
    }
}
