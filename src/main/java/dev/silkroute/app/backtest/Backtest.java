package dev.silkroute.app.backtest;

import dev.silkroute.alert.AlertEngine;
import dev.silkroute.alert.AlertRecord;
import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.AlertSettings;
import dev.silkroute.alert.RouteValidity;
import dev.silkroute.postgres.state.PastEvents;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/** Evaluates rules on a span of the history, by the engine that evaluates them on the records of a running station. */
public final class Backtest {
    private final AlertRules rules;
    private final AlertSettings settings;
    private final RouteValidity validity;

    public Backtest(AlertRules rules, AlertSettings settings, RouteValidity validity) {
        this.rules = rules;
        this.settings = settings;
        this.validity = validity;
    }

    /**
     * Evaluates the state at {@code from} and then the events until {@code to}.
     *
     * @param connection in auto-commit mode
     * @param output receives what a station would have sent to {@code bmp.alerts}
     * @return the number of routes and events
     */
    public long run(Connection connection, Instant from, Instant to, Consumer<AlertRecord> output) throws SQLException {
        AlertEngine engine = AlertEngine.ofHistory(rules, settings, validity, output);
        engine.load();
        long events = PastEvents.read(
                connection,
                from,
                to,
                batch -> {
                    engine.passTo(batch.receivedAtMicros());
                    engine.apply(batch);
                },
                () -> {
                    engine.passTo(micros(from));
                    engine.settle();
                });
        engine.passTo(micros(to));
        return events;
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
