package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute timeline}: shows when each router, peer and view had a route for a prefix. */
@Command(
        name = "timeline",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows when each router, peer and RIB view had a route for a prefix.",
            "In a table = stands for a time with the route, | for a change of it, . for a time without it. CSV and JSON"
                    + " contain a row for each time in which the route did not change."
        })
public final class TimelineCommand extends ReadCommand {
    private static final JsonTable INTERVALS = new JsonTable(List.of(
            new Column("router", "router", false, false),
            new Column("peer", "peer_address", false, false),
            new Column("view", "rib_view", false, false),
            new Column("family", "family", false, true),
            new Column("RD", "rd", false, true),
            new Column("path id", "path_id", true, true),
            new Column("from", "from", false, false),
            new Column("until", "until", false, true),
            new Column("next hop", "next_hop", false, true),
            new Column("AS path", "as_path", false, true)));

    @Parameters(paramLabel = "PREFIX", arity = "1", description = "The prefix, such as 192.0.2.0/24")
    String prefix = "";

    @Option(names = "--from", paramLabel = "TIME", description = "Only events since then, such as -2h")
    @Nullable
    String from;

    @Option(
            names = {"--to", "--at"},
            paramLabel = "TIME",
            description = "Only events until then")
    @Nullable
    String to;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Maximum number of events, the oldest first (${DEFAULT-VALUE})")
    int limit = 10_000;

    @Mixin
    ViewOptions selection = new ViewOptions();

    public TimelineCommand() {
        super(INTERVALS);
    }

    @Override
    ApiPath path() {
        return selection.add(new ApiPath("routes/history")
                .with("prefix", prefix)
                .with("from", from)
                .with("to", to)
                .with("limit", limit));
    }

    @Override
    ArrayNode shown(JsonNode answer) {
        return Timeline.of(rows(answer));
    }

    @Override
    String text(JsonNode intervals) {
        return Timeline.text(rows(intervals));
    }
}
