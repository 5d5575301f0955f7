package dev.silkroute.app.trace;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Counts the spans that another exporter sends. Thread-safe. */
final class CountedSpans implements SpanExporter {
    private final SpanExporter exporter;
    private final Counter sent;
    private final Counter failed;

    CountedSpans(SpanExporter exporter, MeterRegistry meters) {
        this.exporter = exporter;
        sent = MeterGroup.counter(meters, Metric.TRACING_SPANS, "outcome", "sent");
        failed = MeterGroup.counter(meters, Metric.TRACING_SPANS, "outcome", "failed");
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        result.whenComplete(() -> (result.isSuccess() ? sent : failed).increment(count));
        return result;
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
