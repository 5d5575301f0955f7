package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.OutputOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that prints the answer to one request of the REST API: an array, or an envelope with the first page. */
abstract class ReadCommand extends ConsoleCommand {
    /** The option that selects routers or peers by their labels. */
    static final class LabelOption {
        @Option(
                names = "--label",
                paramLabel = "NAME:VALUE",
                description = "Only those with this label, such as site:fra; repeatable")
        List<String> labels = List.of();

        ApiPath add(ApiPath path) {
            labels.forEach(label -> path.with("label", label));
            return path;
        }
    }

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
        var read = shown(station.get(path().toString(), timeout()));
        OriginNames.add(rows(read), station);
        output.print(read, this::text, answer -> table.csv(rows(answer)));
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
