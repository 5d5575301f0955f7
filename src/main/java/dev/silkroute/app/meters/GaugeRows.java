package dev.silkroute.app.meters;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A gauge whose rows come and go, one for each key. A row that stays is not registered again, because a scrape at that
 * moment would not contain it. One thread updates the rows; scrapes read them on others.
 *
 * @param <K> what a row is about, from which its tags follow; each key has other tags
 * @param <V> what the value of a row is read from at each scrape
 */
public final class GaugeRows<K, V> {
    private final MultiGauge gauge;
    private final Function<K, Tags> tags;
    private final ToDoubleFunction<V> value;
    private final Map<K, AtomicReference<V>> rows = new HashMap<>();

    /** @param tags must be those of the metric */
    public GaugeRows(MeterRegistry registry, Metric metric, Function<K, Tags> tags, ToDoubleFunction<V> value) {
        gauge = MeterGroup.multiGauge(registry, metric);
        this.tags = tags;
        this.value = value;
    }

    /** Replaces the rows. */
    public void set(Map<K, V> newest) {
        rows.keySet().retainAll(newest.keySet());
        newest.forEach((key, of) ->
                rows.computeIfAbsent(key, _ -> new AtomicReference<>(of)).set(of));
        gauge.register(
                rows.entrySet().stream()
                        .<MultiGauge.Row<?>>map(row -> MultiGauge.Row.of(
                                tags.apply(row.getKey()), row.getValue(), of -> value.applyAsDouble(of.get())))
                        .toList(),
                false);
    }
}
