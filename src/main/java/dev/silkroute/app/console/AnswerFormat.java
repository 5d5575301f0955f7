package dev.silkroute.app.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** How a command writes what the station has answered: for people, or as it came. */
public final class AnswerFormat {
    /** One of them. */
    public enum Kind {
        table,
        json
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table or json (${DEFAULT-VALUE})")
    Kind kind = Kind.table;

    @Option(names = "--json", description = "The same as --format json")
    boolean json;

    public void print(JsonNode answer, Function<JsonNode, String> table) {
        StandardOutput.print(json || kind == Kind.json ? indented(answer) : table.apply(answer));
    }

    private static String indented(JsonNode answer) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(answer) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
