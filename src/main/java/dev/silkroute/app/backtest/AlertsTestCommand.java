package dev.silkroute.app.backtest;

import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.app.alert.ConfiguredRules;
import dev.silkroute.app.ask.DatabaseOption;
import dev.silkroute.app.ask.StationLocation;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.TimeText;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.app.station.Database;
import dev.silkroute.rpki.AspaTable;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code silkroute alerts test}: evaluates a file of rules on the history. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Evaluates a file of rules on the history of a running station, with the thresholds of silkroute.alerts.",
            "Prints the records that the station would have sent to bmp.alerts, one on a line."
        },
        footer = {
            "",
            "An alert that is open at the beginning of the span is reported with that time.",
            "Times: 2026-11-21T09:30:00Z, 2026-11-21T10:30:00+01:00, or 2026-11-21 (midnight UTC)."
        })
public final class AlertsTestCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FILE", description = "The rules, as for silkroute.alerts.rules")
    Path file = Path.of("");

    @Option(names = "--from", required = true, paramLabel = "TIME", description = "Beginning of the span")
    String from = "";

    @Option(names = "--to", paramLabel = "TIME", description = "End of the span (now)")
    @Nullable
    String to;

    @Mixin
    StationLocation station = new StationLocation();

    @Mixin
    DatabaseOption database = new DatabaseOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    private final Configuration configuration;
    private long changes;

    public AlertsTestCommand(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Integer call() {
        Instant start = TimeText.parse("--from", from);
        Instant end = to == null ? Instant.now().truncatedTo(ChronoUnit.MICROS) : TimeText.parse("--to", to);
        if (!start.isBefore(end)) {
            throw new UsageError("--from " + start + " is not before --to " + end);
        }
        StationConfig config = configuration.station();
        AlertRules rules = ConfiguredRules.read("FILE", file);
        AspaTable aspas = new OriginValidation(config).load().inUse().aspas();
        long begun = System.nanoTime();
        try (var connection = Database.connect(station.jdbcUrl(database.jdbcUrl()))) {
            PrintWriter out = command.commandLine().getOut();
            long events = new Backtest(rules, ConfiguredRules.settings(config), aspas)
                    .run(connection, start, end, record -> print(record, out));
            out.flush();
            command.commandLine()
                    .getErr()
                    .printf(
                            Locale.ROOT,
                            "silkroute alerts test: %,d changes of alerts in %,d routes and events, in %.1f s%n",
                            changes,
                            events,
                            (System.nanoTime() - begun) / 1e9);
            return ExitCode.OK;
        } catch (SQLException e) {
            throw new OperatorError(Database.reason(e), e);
        }
    }

    private void print(AlertRecord record, PrintWriter out) {
        changes++;
        out.println(new String(record.json(), StandardCharsets.UTF_8));
    }
}
