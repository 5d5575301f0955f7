package dev.silkroute.app.collector;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.DumpEnd;
import dev.silkroute.collector.sessions.DumpPlaces;
import dev.silkroute.collector.sessions.Quota;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.component.bmp.DecodingSlots;
import dev.silkroute.session.Anomaly;
import dev.silkroute.session.LaneName;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * The collector's metrics. They read the collector's own counters at each scrape, so that they cost nothing per batch.
 */
@Singleton
final class CollectorMeters {
    void register(
            @Observes StartupEvent start,
            MeterRegistry registry,
            SessionRegistry sessions,
            TurnQueue turns,
            DecodeCounters counters,
            MemoryBudget budget,
            DecodingSlots slots) {
        MeterGroup<SessionRegistry> open = new MeterGroup<>(registry, sessions)
                .gauge(Metric.BMP_SESSIONS, SessionRegistry::count)
                .counter(Metric.BMP_SESSIONS_REJECTED, SessionRegistry::rejected)
                .counter(Metric.BMP_SESSIONS_SLOWED, SessionRegistry::waits);
        for (Quota quota : Quota.values()) {
            open.counter(Metric.BMP_QUOTA_EXCEEDED, s -> s.exceeded(quota), "quota", quota.text());
        }
        MeterGroup<DumpPlaces> dumps = new MeterGroup<>(registry, sessions.dumps())
                .gauge(Metric.BMP_SESSIONS_DUMPING, DumpPlaces::taken)
                .gauge(Metric.BMP_DUMPS_WAITING, DumpPlaces::waiting)
                .gauge(Metric.BMP_DUMPS_WAIT, DumpPlaces::longestWaitSeconds);
        for (DumpEnd why : DumpEnd.values()) {
            dumps.counter(Metric.BMP_DUMPS_ENDED, d -> d.ended(why), "reason", why.text());
        }
        for (SessionEnd why : SessionEnd.values()) {
            open.counter(Metric.BMP_SESSIONS_ENDED, s -> s.ends(why), "reason", why.text());
        }
        new MeterGroup<>(registry, budget)
                .gauge(Metric.BMP_HELD, MemoryBudget::held)
                .gauge(Metric.BMP_SESSIONS_WAITING, MemoryBudget::waiting)
                .gauge(Metric.BMP_PARTIAL, MemoryBudget::partial);
        new MeterGroup<>(registry, slots).gauge(Metric.BMP_DECODED, DecodingSlots::used);
        new MeterGroup<>(registry, turns)
                .gauge(Metric.BMP_SESSIONS_BEHIND, TurnQueue::waiting)
                .counter(Metric.BMP_SESSIONS_DELAYED, TurnQueue::delayed);
        MeterGroup<DecodeCounters> decoded = new MeterGroup<>(registry, counters)
                .counter(Metric.BMP_BATCHES, DecodeCounters::batches)
                .counter(Metric.BMP_ROUTE_EVENTS, DecodeCounters::events);
        for (int code = 0; code < DecodeCounters.MESSAGE_TYPES; code++) {
            int type = code;
            MessageType known = MessageType.of(code);
            decoded.counter(
                    Metric.BMP_MESSAGES, c -> c.messages(type), "type", known == null ? "unknown" : known.text());
        }
        for (DecodeOutcome.Kind kind : DecodeOutcome.Kind.values()) {
            decoded.counter(Metric.BMP_DECODE_OUTCOMES, c -> c.outcomes(kind), "outcome", kind.text());
        }
        for (Anomaly anomaly : Anomaly.values()) {
            decoded.counter(Metric.BMP_ANOMALIES, c -> c.anomalies(anomaly), "anomaly", anomaly.text());
        }
        for (LaneName kind : LaneName.values()) {
            if (kind != LaneName.ROUTES) {
                decoded.counter(Metric.BMP_RECORDS, c -> c.records(kind), "kind", kind.text());
            }
        }
    }
}
