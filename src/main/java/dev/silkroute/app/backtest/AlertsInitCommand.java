package dev.silkroute.app.backtest;

import dev.silkroute.alert.RulesText;
import dev.silkroute.app.ask.DatabaseOption;
import dev.silkroute.app.ask.StationLocation;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.station.Database;
import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code silkroute alerts init}: generates a file of rules from the current state. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Prints a file of rules with the prefixes that are announced now and their origin ASes.",
            "Redirect it into the file that silkroute.alerts.rules names, and check it."
        })
public final class AlertsInitCommand implements Callable<Integer> {
    /** The routes that the rules evaluate; null as a parameter selects all. */
    private static final String PREFIXES = """
        SELECT prefix::text, string_agg(DISTINCT origin_asn::text, ', ') FROM bmp.v_rib
        WHERE family IN ('ipv4-unicast', 'ipv6-unicast') AND rib_view NOT LIKE 'adj-rib-out%' AND peer_type <> 'rd'
          AND origin_asn IS NOT NULL AND NOT stale
          AND (?::bigint[] IS NULL OR origin_asn = ANY (?::bigint[])) AND (?::text IS NULL OR router = ?::text)
        GROUP BY prefix ORDER BY prefix\
        """;

    @Option(names = "--asn", paramLabel = "ASN", split = ",", description = "Prefixes that these ASes originate")
    @Nullable
    List<Long> asns;

    @Option(names = "--router", paramLabel = "ROUTER", description = "Only prefixes that this router reports")
    @Nullable
    String router;

    @Mixin
    StationLocation station = new StationLocation();

    @Mixin
    DatabaseOption database = new DatabaseOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Override
    public Integer call() {
        if (asns == null && router == null) {
            throw new UsageError("--asn or --router is required");
        }
        try (var connection = Database.connect(station.jdbcUrl(database.jdbcUrl()))) {
            List<String> entries = entries(connection);
            if (entries.isEmpty()) {
                throw new OperatorError("no current route has such an origin AS or router");
            }
            var out = command.commandLine().getOut();
            entries.forEach(out::print);
            if (asns != null) {
                out.print(RulesText.monitored(asns));
            }
            out.flush();
            return ExitCode.OK;
        } catch (SQLException e) {
            throw new OperatorError(Database.reason(e), e);
        }
    }

    private List<String> entries(Connection connection) throws SQLException {
        String array =
                asns == null ? null : asns.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
        return Sql.list(connection, PREFIXES, AlertsInitCommand::entry, array, array, router, router);
    }

    private static String entry(ResultSet row) throws SQLException {
        return RulesText.entry(row.getString(1), row.getString(2));
    }
}
