package dev.silkroute.app.station;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.OutputOptions;
import dev.silkroute.app.console.TextTable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code silkroute doctor}: checks what {@code run} needs, with the same options and configuration. */
@Command(
        name = "doctor",
        exitCodeOnExecutionException = ExitCode.FAILURE,
        description = {
            "Checks the configuration, the machine and the servers that `run` with the same options uses, and the"
                    + " station if it is running.",
            "Changes nothing. The exit code is 1 if a check has failed."
        })
public final class DoctorCommand extends RunCommand {
    private static final List<String> HEADER = List.of("check", "result", "detail");

    @Mixin
    private OutputOptions output = new OutputOptions();

    public DoctorCommand(Configuration configuration) {
        super(configuration);
    }

    @Override
    public Integer call() {
        List<Finding> findings = new StationChecks(config(), Clock.systemUTC()).findings();
        output.print(json(findings), DoctorCommand::table, DoctorCommand::csv);
        return findings.stream().anyMatch(finding -> finding.result() == Finding.Result.FAILED)
                ? ExitCode.FAILURE
                : ExitCode.OK;
    }

    private static JsonNode json(List<Finding> findings) {
        var array = new ObjectMapper().createArrayNode();
        for (var finding : findings) {
            array.addObject()
                    .put("check", finding.check())
                    .put("result", finding.result().name().toLowerCase(Locale.ROOT))
                    .put("detail", finding.detail());
        }
        return array;
    }

    private static List<List<String>> rows(JsonNode findings) {
        List<List<String>> rows = new ArrayList<>();
        for (var finding : findings) {
            rows.add(HEADER.stream().map(name -> finding.path(name).asText()).toList());
        }
        return rows;
    }

    private static String table(JsonNode findings) {
        return TextTable.of(
                HEADER.stream()
                        .map(header -> new TextTable.Column(header, false))
                        .toList(),
                rows(findings));
    }

    private static List<? extends List<@Nullable String>> csv(JsonNode findings) {
        List<List<String>> lines = new ArrayList<>(List.of(HEADER));
        lines.addAll(rows(findings));
        return lines;
    }
}
