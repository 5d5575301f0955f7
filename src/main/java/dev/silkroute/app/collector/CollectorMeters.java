package dev.silkroute.app.collector;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.Quota;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.session.Anomaly;
import dev.silkroute.session.LaneName;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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
            MemoryBudget budget) {
        Gauge.builder("bmp.sessions", sessions, SessionRegistry::count)
                .description("Open BMP sessions")
                .register(registry);
        Gauge.builder("bmp.held.bytes", budget, MemoryBudget::held)
                .description("Bytes of BMP messages between socket and Kafka")
                .register(registry);
        Gauge.builder("bmp.sessions.waiting", budget, MemoryBudget::waiting)
                .description("Sessions that wait for memory within the limit of all sessions")
                .register(registry);
        Gauge.builder("bmp.partial.bytes", budget, MemoryBudget::partial)
                .description("Bytes of incomplete BMP messages, those of 8 KiB and less not counted")
                .register(registry);
        Gauge.builder("bmp.sessions.behind", turns, TurnQueue::waiting)
                .description("Sessions that wait until earlier sessions of their router are acknowledged")
                .register(registry);
        FunctionCounter.builder("bmp.sessions.delayed", turns, TurnQueue::delayed)
                .description("Sessions that had to wait until earlier sessions of their router were acknowledged")
                .register(registry);
        FunctionCounter.builder("bmp.sessions.refused", sessions, SessionRegistry::refused)
                .description("Connections refused because a limit of sessions was reached")
                .register(registry);
        for (Quota quota : Quota.values()) {
            FunctionCounter.builder("bmp.quota.exceeded", sessions, s -> s.exceeded(quota))
                    .tag("quota", quota.text())
                    .description(
                            "How often a source address has exceeded a quota: a refused session or a pause in reading")
                    .register(registry);
        }
        for (SessionEnd why : SessionEnd.values()) {
            FunctionCounter.builder("bmp.sessions.ended", sessions, s -> s.ends(why))
                    .tag("reason", why.text())
                    .description("BMP sessions that have ended")
                    .register(registry);
        }
        for (int code = 0; code < DecodeCounters.MESSAGE_TYPES; code++) {
            int type = code;
            MessageType known = MessageType.of(code);
            FunctionCounter.builder("bmp.messages", counters, c -> c.messages(type))
                    .tag("type", known == null ? "unknown" : known.text())
                    .description("BMP messages decoded")
                    .register(registry);
        }
        for (DecodeOutcome.Kind kind : DecodeOutcome.Kind.values()) {
            FunctionCounter.builder("bgp.decode.outcomes", counters, c -> c.outcomes(kind))
                    .tag("outcome", kind.text())
                    .description("Errors in UPDATEs that were decoded nevertheless (RFC 7606)")
                    .register(registry);
        }
        for (Anomaly anomaly : Anomaly.values()) {
            FunctionCounter.builder("bmp.anomalies", counters, c -> c.anomalies(anomaly))
                    .tag("anomaly", anomaly.text())
                    .description("Behaviour of routers that BMP does not provide for")
                    .register(registry);
        }
        for (LaneName lane : LaneName.values()) {
            FunctionCounter.builder(
                            "bmp.records", counters, c -> lane == LaneName.ROUTES ? c.events() : c.records(lane))
                    .tag("lane", lane.text())
                    .description("Events and records produced, by lane")
                    .register(registry);
        }
        FunctionCounter.builder("bmp.batches", counters, DecodeCounters::batches)
                .description("Exchanges: batches of whole BMP messages")
                .register(registry);
    }
}
