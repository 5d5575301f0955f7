package dev.silkroute.app.backtest;

import dev.silkroute.alert.AlertEngine;
import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.AlertSettings;
import dev.silkroute.alert.QuarantineEngine;
import dev.silkroute.alert.ReportedSize;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.UndecodableMessage;
import dev.silkroute.app.alert.QuarantinedMessages;
import dev.silkroute.app.alert.ReportedSizes;
import dev.silkroute.app.rpki.PastVrps;
import dev.silkroute.postgres.state.PastEvents;
import dev.silkroute.rpki.AspaTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Evaluates rules on a span of the history, by the engine that evaluates them on the records of a running station. */
public final class Backtest {
    private final AlertRules rules;
    private final AlertSettings settings;
    private final AspaTable aspas;

    /** @param aspas by which the paths of the whole span are verified, because the history has none */
    public Backtest(AlertRules rules, AlertSettings settings, AspaTable aspas) {
        this.rules = rules;
        this.settings = settings;
        this.aspas = aspas;
    }

    /**
     * Evaluates the state at {@code from} and then the events until {@code to}.
     *
     * @param connection in auto-commit mode
     * @param output receives what a station would have sent to {@code bmp.alerts}
     * @return the number of routes, events and undecodable messages
     */
    public long run(Connection connection, Instant from, Instant to, Consumer<AlertRecord> output) throws SQLException {
        Deque<AlertRecord> ofMessages = new ArrayDeque<>();
        long messages = messages(connection, from, to, ofMessages::add);
        AlertEngine engine = AlertEngine.ofHistory(rules, settings, record -> {
            while (!ofMessages.isEmpty() && ofMessages.getFirst().at() <= record.at()) {
                output.accept(ofMessages.removeFirst());
            }
            output.accept(record);
        });
        engine.load();
        PastVrps vrps = PastVrps.at(connection, from);
        engine.useVrps(vrps.table());
        engine.useAspas(aspas);
        Deque<ReportedSize> reports = new ArrayDeque<>();
        long events = PastEvents.read(
                connection,
                from,
                to,
                batch -> {
                    applyUntil(batch.receivedAtMicros(), reports, engine);
                    useUntil(batch.receivedAtMicros(), vrps, engine);
                    engine.passTo(batch.receivedAtMicros());
                    engine.apply(batch);
                },
                () -> {
                    engine.passTo(micros(from));
                    engine.settle();
                },
                (start, end) -> {
                    vrps.read(connection, start, end);
                    if (rules.comparesStatistics()) {
                        ReportedSizes.read(connection, start, end, reports::add);
                    }
                });
        applyUntil(micros(to), reports, engine);
        useUntil(micros(to), vrps, engine);
        engine.passTo(micros(to));
        ofMessages.forEach(output);
        return messages + events;
    }

    private static void applyUntil(long time, Deque<ReportedSize> reports, AlertEngine engine) {
        while (!reports.isEmpty() && reports.getFirst().receivedAtMicros() <= time) {
            engine.passTo(reports.getFirst().receivedAtMicros());
            engine.report(reports.removeFirst());
        }
    }

    private static void useUntil(long time, PastVrps vrps, AlertEngine engine) {
        for (OptionalLong next = vrps.next(); next.isPresent() && next.getAsLong() < time; next = vrps.next()) {
            engine.passTo(next.getAsLong());
            vrps.advance();
            engine.useVrps(vrps.table());
        }
    }

    /** Evaluates the undecodable messages, in the order of their times, and returns their number. */
    private long messages(Connection connection, Instant from, Instant to, Consumer<AlertRecord> output)
            throws SQLException {
        if (!rules.monitorsQuarantine()) {
            return 0;
        }
        AtomicLong messages = new AtomicLong();
        QuarantineEngine engine = new QuarantineEngine(rules, settings, output);
        Consumer<UndecodableMessage> apply = message -> {
            messages.incrementAndGet();
            engine.passTo(message.receivedAtMicros());
            engine.apply(message);
        };
        engine.load();
        QuarantinedMessages.read(connection, from.minus(rules.quarantineSpanMicros(), ChronoUnit.MICROS), from, apply);
        engine.settle(micros(from));
        QuarantinedMessages.read(connection, from, to, apply);
        engine.passTo(micros(to));
        return messages.get();
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
