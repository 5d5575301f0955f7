package dev.silkroute.app.store;

import dev.silkroute.bgp.RibView;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.spi.Metadata;

/** The bean that publishes the rows of {@code bmp.reconcile_measure}: gauges for each view, and one for an alarm. */
@Singleton
@Named("reconcileGauges")
@Metadata(description = "Publishes the result of bmp.reconcile_measure as metrics: its method measured takes the rows")
@Unremovable
public final class ReconcileGauges {
    /** Columns of {@code bmp.reconcile_measure}. */
    private static final List<String> STATES = List.of("equal", "differs", "unknown");

    private final Map<String, AtomicLong> values = new ConcurrentHashMap<>();
    private final AtomicLong alarm = new AtomicLong();

    ReconcileGauges(MeterRegistry meters) {
        for (RibView view : RibView.values()) {
            for (String state : STATES) {
                AtomicLong value = new AtomicLong();
                values.put(key(state, view.text()), value);
                new MeterGroup<>(meters, value, "view", view.text(), "state", state)
                        .gauge(Metric.RECONCILE_TABLES, AtomicLong::get);
            }
        }
        new MeterGroup<>(meters, alarm).gauge(Metric.RECONCILE_ALARM, AtomicLong::get);
    }

    private static String key(String column, String view) {
        return column + " " + view;
    }

    /** @param rows a row for each view */
    public void measured(List<Map<String, Object>> rows) {
        long overdue = 0;
        for (Map<String, Object> row : rows) {
            String view = String.valueOf(row.get("rib_view"));
            row.forEach((column, value) -> {
                AtomicLong gauge = values.get(key(column, view));
                if (gauge != null && value instanceof Number number) {
                    gauge.set(number.longValue());
                }
            });
            if (row.get("overdue") instanceof Number number) {
                overdue += number.longValue();
            }
        }
        alarm.set(overdue > 0 ? 1 : 0);
    }
}
