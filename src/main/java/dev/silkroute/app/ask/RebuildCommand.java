package dev.silkroute.app.ask;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.DurationConverter;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.ReportOptions;
import dev.silkroute.app.station.Database;
import dev.silkroute.postgres.maintenance.Rebuild;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute rebuild}: rebuilds the current state from the history. */
@Command(
        name = "rebuild",
        description = {
            "Rebuilds the current state (v_rib) of a running station from its history (v_route_history).",
            "Rows that are correct are not touched; prints how many were not."
        })
public final class RebuildCommand extends ConsoleCommand {
    @Mixin
    ReportOptions report = new ReportOptions();

    @Mixin
    StationLocation station = new StationLocation();

    @Mixin
    DatabaseOption database = new DatabaseOption();

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "60",
            converter = DurationConverter.class,
            description =
                    "How long to wait for the history to catch up with the current state, in seconds or such as 2m"
                            + " (${DEFAULT-VALUE})")
    Duration wait = Duration.ZERO;

    @Override
    public Integer call() {
        try (var connection = Database.connect(station.jdbcUrl(database.jdbcUrl()))) {
            Rebuild.Result result = new Rebuild(wait).run(connection);
            report.print(text(result), json -> {
                json.writeStartObject();
                json.writeNumberField("routes", result.routes());
                json.writeNumberField("missing", result.missing());
                json.writeNumberField("extra", result.extra());
                json.writeNumberField("different", result.different());
                json.writeEndObject();
            });
            return ExitCode.OK;
        } catch (SQLException e) {
            throw new OperatorError(Database.reason(e), e);
        }
    }

    private static String text(Rebuild.Result result) {
        return String.format(
                Locale.ROOT,
                "%,d routes in the history; corrected %,d missing, %,d extra and %,d different rows of the state",
                result.routes(),
                result.missing(),
                result.extra(),
                result.different());
    }
}
