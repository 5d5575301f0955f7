package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconcileGaugesTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ReconcileGauges gauges = new ReconcileGauges(meters);

    private static Map<String, Object> row(String view, long equal, long differs, long unknown, long overdue) {
        return Map.of("rib_view", view, "equal", equal, "differs", differs, "unknown", unknown, "overdue", overdue);
    }

    private double tables(String state, String view) {
        return meters.get("silkroute.reconcile.tables")
                .tag("view", view)
                .tag("state", state)
                .gauge()
                .value();
    }

    @Test
    void eachViewHasItsNumbersAndTheAlarmIsOneForAll() {
        gauges.measured(List.of(row("loc-rib", 3, 2, 1, 0), row("adj-rib-in-pre", 5, 1, 0, 1)));
        assertThat(tables("equal", "loc-rib")).isEqualTo(3);
        assertThat(tables("differs", "loc-rib")).isEqualTo(2);
        assertThat(tables("unknown", "loc-rib")).isEqualTo(1);
        assertThat(tables("differs", "adj-rib-in-pre")).isEqualTo(1);
        assertThat(meters.get("silkroute.reconcile.alarm").gauge().value()).isEqualTo(1);

        gauges.measured(List.of(row("loc-rib", 5, 0, 1, 0), row("adj-rib-in-pre", 6, 0, 0, 0)));
        assertThat(tables("differs", "loc-rib")).isZero();
        assertThat(meters.get("silkroute.reconcile.alarm").gauge().value()).isZero();
    }
}
