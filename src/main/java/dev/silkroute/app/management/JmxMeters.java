package dev.silkroute.app.management;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.jmx.JmxConfig;
import io.micrometer.jmx.JmxMeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows the station's metrics (sessions, lanes and their lag, the RIB, quarantine, database connections) as MBeans
 * beside those that Camel has for routes and endpoints: {@code silkroute:type=gauges,name=bmpSessions}.
 */
final class JmxMeters {
    /** Those of libraries have MBeans already. */
    private static final Pattern OWN = Pattern.compile("(bmp|silkroute)[._]");

    private JmxMeters() {}

    @Produces
    @Singleton
    static MeterRegistry registry() {
        JmxConfig config = new JmxConfig() {
            @Override
            public String domain() {
                return "silkroute";
            }

            @Override
            public @Nullable String get(String key) {
                return null; // the defaults
            }
        };
        var registry = new JmxMeterRegistry(config, Clock.SYSTEM);
        registry.config()
                .meterFilter(MeterFilter.denyUnless(
                        meter -> OWN.matcher(meter.getName()).lookingAt()));
        return registry;
    }
}
