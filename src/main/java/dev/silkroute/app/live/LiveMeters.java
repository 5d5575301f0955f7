package dev.silkroute.app.live;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.live.LiveCounters;
import dev.silkroute.live.LiveStream;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** The metrics of the live stream. */
@Singleton
final class LiveMeters {
    void register(@Observes StartupEvent start, MeterRegistry registry, LiveStream stream) {
        new MeterGroup<>(registry, stream)
                .gauge(Metric.LIVE_SUBSCRIBERS, LiveStream::subscriberCount)
                .gauge(Metric.LIVE_QUEUED, LiveStream::queuedBytes)
                .gauge(Metric.LIVE_RECENT, LiveStream::recentBytes);
        new MeterGroup<>(registry, stream.counters())
                .counter(Metric.LIVE_SUBSCRIBERS_REJECTED, LiveCounters::rejected)
                .counter(Metric.LIVE_PUBLISHED, LiveCounters::published)
                .counter(Metric.LIVE_ENCODED, LiveCounters::encoded)
                .counter(Metric.LIVE_MATCHED, LiveCounters::matched)
                .counter(Metric.LIVE_MESSAGES, LiveCounters::delivered, "outcome", "delivered")
                .counter(Metric.LIVE_MESSAGES, LiveCounters::missed, "outcome", "missed")
                .counter(Metric.LIVE_MESSAGES, LiveCounters::discarded, "outcome", "discarded");
    }
}
