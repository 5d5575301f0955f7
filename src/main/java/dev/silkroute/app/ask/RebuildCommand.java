package dev.silkroute.app.ask;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.station.Database;
import dev.silkroute.postgres.maintenance.Rebuild;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute rebuild}: the current state anew, from the history. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes the current state (v_rib) of a running station anew from its history (v_route_history).",
            "What is right already isn't touched; says what was not."
        })
public final class RebuildCommand implements Callable<Integer> {
    @Mixin
    StationLocation station = new StationLocation();

    @Option(names = "--jdbc-url", paramLabel = "URL", description = "The database itself, instead of --data-dir")
    @Nullable
    String jdbcUrl;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long to wait for the history to come as far as the state (${DEFAULT-VALUE})")
    long wait;

    @Override
    public Integer call() {
        try (var connection = Database.connect(station.jdbcUrl(jdbcUrl))) {
            Rebuild.Result result = new Rebuild(Duration.ofSeconds(wait)).run(connection);
            System.out.println(String.format(
                    Locale.ROOT,
                    "%,d routes by the history; %,d were missing, %,d too many, %,d different",
                    result.routes(),
                    result.missing(),
                    result.extra(),
                    result.different()));
            return 0;
        } catch (SQLException e) {
            throw new OperatorError(Database.reason(e), e);
        }
    }
}
