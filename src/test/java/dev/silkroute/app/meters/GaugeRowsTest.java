package dev.silkroute.app.meters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GaugeRowsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final GaugeRows<String, Long> rows = new GaugeRows<>(
            registry, Metric.RIB_ROUTER_STALE_ROUTES, router -> Tags.of("router", router), Long::doubleValue);

    private Map<String, Double> values() {
        Map<String, Double> values = new TreeMap<>();
        registry.find(Metric.RIB_ROUTER_STALE_ROUTES.meterName())
                .gauges()
                .forEach(gauge -> values.put(gauge.getId().getTag("router"), gauge.value()));
        return values;
    }

    @Test
    void aRowThatStaysIsNeverRemovedAndHasTheNewestValue() {
        List<Meter> removed = new ArrayList<>();
        registry.config().onMeterRemoved(removed::add);
        rows.set(Map.of("edge-1", 1L, "edge-2", 2L));
        assertThat(values()).isEqualTo(Map.of("edge-1", 1.0, "edge-2", 2.0));

        rows.set(Map.of("edge-1", 3L, "edge-2", 2L, "edge-3", 4L));

        assertThat(values()).isEqualTo(Map.of("edge-1", 3.0, "edge-2", 2.0, "edge-3", 4.0));
        assertThat(removed).isEmpty();
    }

    @Test
    void aRowThatEndsIsRemovedAndMayReturn() {
        rows.set(Map.of("edge-1", 1L, "edge-2", 2L));
        rows.set(Map.of("edge-2", 2L));
        assertThat(values()).isEqualTo(Map.of("edge-2", 2.0));

        rows.set(Map.of("edge-1", 5L, "edge-2", 2L));

        assertThat(values()).isEqualTo(Map.of("edge-1", 5.0, "edge-2", 2.0));
    }
}
