package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.OutputOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Mixin;

/** A command that prints the answer to one request of the REST API: an array, or an envelope with the first page. */
abstract class ReadCommand extends ConsoleCommand {
    private final JsonTable table;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private StationApi station = new StationApi();

    ReadCommand(JsonTable table) {
        this.table = table;
    }

    /** Returns the request that the options describe. */
    abstract ApiPath path();

    /** Returns what the command prints of an answer: by default all of it. */
    JsonNode shown(JsonNode answer) {
        return answer;
    }

    /** Returns how long the station may take. */
    Duration timeout() {
        return StationApi.TIMEOUT;
    }

    @Override
    public final Integer call() {
        output.print(shown(station.get(path().toString(), timeout())), this::text, answer -> table.csv(rows(answer)));
        return ExitCode.OK;
    }

    /** Returns what {@link #shown} has returned as text for a terminal. */
    String text(JsonNode answer) {
        var rows = rows(answer);
        var count = "(" + rows.size() + (rows.size() == 1 ? " row" : " rows");
        var more = answer.has("next") ? "; there are more, --limit sets how many are shown" : "";
        return (rows.isEmpty() ? "" : table.text(rows)) + count + more + ")\n";
    }

    static List<JsonNode> rows(JsonNode answer) {
        var rows = answer.isArray() ? answer : answer.path("data");
        return StreamSupport.stream(rows.spliterator(), false).toList();
    }
}
