package dev.silkroute.app.trace;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.StageSpans;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.spi.CamelContextCustomizer;

/**
 * Traces sampled batches if {@code silkroute.tracing.otlp-endpoint} is set. Otherwise it registers nothing in Camel and
 * loads no class of OpenTelemetry.
 */
@Singleton
@Unremovable
public final class Tracing implements CamelContextCustomizer, StageSpans {
    private final Optional<BatchTracer> tracer;

    /** @throws dev.silkroute.app.config.UsageError if the settings are invalid */
    @Inject
    public Tracing(StationConfig config, MeterRegistry meters) {
        tracer = TraceSettings.of(config).map(settings -> new BatchTracer(settings, meters));
    }

    @Override
    public void configure(CamelContext camel) {
        tracer.ifPresent(used -> camel.getManagementStrategy().addEventNotifier(used));
    }

    @Override
    public Stage start(Exchange exchange, String name) {
        return tracer.map(used -> used.start(exchange, name)).orElseGet(() -> NONE.start(exchange, name));
    }
}
