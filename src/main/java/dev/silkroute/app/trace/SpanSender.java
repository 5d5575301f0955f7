package dev.silkroute.app.trace;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends spans in batches and counts each of them as sent, failed or dropped. Never waits for the receiver: a span is
 * dropped while {@link #MOST_SPANS} are waiting for it. Thread-safe.
 */
final class SpanSender implements SpanProcessor {
    /** Maximum number of spans that are queued, or sent and not yet answered. */
    static final int MOST_SPANS = 8192;

    private final BatchSpanProcessor batches;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter dropped;

    /** @param timeout of a request */
    SpanSender(SpanExporter exporter, Duration timeout, MeterRegistry meters) {
        // Its own queue is never full, because it would drop spans without counting them
        batches = BatchSpanProcessor.builder(
                        new CountedExporter(exporter, waiting, counter(meters, "sent"), counter(meters, "failed")))
                .setMaxQueueSize(MOST_SPANS)
                .setExporterTimeout(timeout)
                .build();
        dropped = counter(meters, "dropped");
    }

    private static Counter counter(MeterRegistry meters, String outcome) {
        return MeterGroup.counter(meters, Metric.TRACING_SPANS, "outcome", outcome);
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        // A span is sent when it has ended
    }

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (waiting.incrementAndGet() > MOST_SPANS) {
            waiting.decrementAndGet();
            dropped.increment();
        } else {
            batches.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batches.forceFlush();
    }

    /** @param waiting reduced by the spans of each request that has ended */
    private record CountedExporter(SpanExporter exporter, AtomicInteger waiting, Counter sent, Counter failed)
            implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int count = spans.size();
            CompletableResultCode result;
            try {
                result = exporter.export(spans);
            } catch (RuntimeException e) {
                result = CompletableResultCode.ofExceptionalFailure(e);
            }
            CompletableResultCode ended = result;
            return ended.whenComplete(() -> {
                waiting.addAndGet(-count);
                (ended.isSuccess() ? sent : failed).increment(count);
            });
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
}
