package dev.silkroute.app.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.net.Json;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --format} of commands that end with a report: text, CSV, or one JSON object on one line. */
public final class ReportOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Format of the report: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private ResultFormat format = ResultFormat.table;

    /**
     * Prints the report in the chosen format.
     *
     * @param text the report for people, the format {@code table}
     */
    public void print(String text, Json.Value json) {
        var out = command.commandLine().getOut();
        out.print(
                switch (format) {
                    case table -> text + System.lineSeparator();
                    case csv -> csv(json);
                    case json -> Json.string(json) + System.lineSeparator();
                });
        out.flush();
    }

    private static String csv(Json.Value json) {
        try {
            return OutputOptions.csv(JsonValues.csv(new ObjectMapper().readTree(Json.string(json))));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
