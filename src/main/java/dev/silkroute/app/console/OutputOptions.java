package dev.silkroute.app.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The options of commands that print a response of the REST API, as a table or as the JSON that was received. */
public final class OutputOptions {
    /** The values of {@code --format}. */
    enum Format {
        table,
        json
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Output format: table or json (${DEFAULT-VALUE})")
    Format format = Format.table;

    @Option(names = "--json", description = "Short for --format json")
    boolean json;

    /** Prints a response; {@code table} formats it for a terminal. */
    public void print(JsonNode response, Function<JsonNode, String> table) {
        StandardOutput.print(json || format == Format.json ? indented(response) : table.apply(response));
    }

    private static String indented(JsonNode response) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(response) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
