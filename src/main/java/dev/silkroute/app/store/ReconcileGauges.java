package dev.silkroute.app.store;

import dev.silkroute.bgp.RibView;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The bean that publishes the rows of {@code bmp.reconcile_measure}: gauges for each view, and one for an alarm. */
@Singleton
@Named("reconcileGauges")
@Unremovable
public final class ReconcileGauges {
    private final Map<String, AtomicLong> values = new ConcurrentHashMap<>();
    private final AtomicLong alarm = new AtomicLong();

    ReconcileGauges(MeterRegistry meters) {
        for (RibView view : RibView.values()) {
            gauge(
                    meters,
                    "reconcile.differences",
                    "differs",
                    view,
                    "Tables whose size differs from their router's statistics");
            gauge(meters, "reconcile.unknown", "unknown", view, "Tables without statistics to compare their size with");
            gauge(meters, "reconcile.equal", "equal", view, "Tables whose size equals their router's statistics");
        }
        Gauge.builder("reconcile.alarm", alarm, AtomicLong::get)
                .description("1 while a table has differed from its router's statistics for longer than"
                        + " silkroute.reconcile.alarm-after")
                .register(meters);
    }

    private void gauge(MeterRegistry meters, String name, String column, RibView view, String description) {
        AtomicLong value = new AtomicLong();
        values.put(key(column, view.text()), value);
        Gauge.builder(name, value, AtomicLong::get)
                .tag("view", view.text())
                .description(description)
                .register(meters);
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
