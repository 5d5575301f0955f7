package dev.silkroute.app.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that print rows: as a table, as CSV or as JSON. */
public final class OutputOptions {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Output format: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private ResultFormat format = ResultFormat.table;

    @Option(names = "--json", description = "Short for --format json")
    private boolean json;

    public ResultFormat format() {
        return json ? ResultFormat.json : format;
    }

    /**
     * Prints a response of the REST API.
     *
     * @param table formats it for a terminal
     * @param csv returns the header and the rows of its CSV
     */
    public void print(
            JsonNode response,
            Function<JsonNode, String> table,
            Function<JsonNode, List<? extends List<@Nullable String>>> csv) {
        StandardOutput.print(
                switch (format()) {
                    case table -> table.apply(response);
                    case csv -> csv(csv.apply(response));
                    case json -> indented(response);
                });
    }

    /** Returns one line of CSV. */
    public static String csvLine(List<String> values) {
        return csv(List.of(values));
    }

    static String csv(List<? extends List<@Nullable String>> rows) {
        var text = new StringBuilder();
        var lines = new CsvLines(text);
        try {
            for (var row : rows) {
                for (var value : row) {
                    lines.field(value);
                }
                lines.end();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static String indented(JsonNode response) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(response) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
