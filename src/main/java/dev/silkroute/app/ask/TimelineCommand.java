package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute timeline}: shows when each router, peer and view had a route for a prefix. */
@Command(
        name = "timeline",
        description = {
            "Shows when each router, peer and RIB view had a route for a prefix.",
            "In a table = stands for a time with the route, | for a change of it, . for a time without it. CSV and JSON"
                    + " contain a row for each time in which the route did not change."
        })
public final class TimelineCommand extends ReadCommand {
    private static final JsonTable INTERVALS = new JsonTable(List.of(
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.text("view", "rib_view"),
            Column.text("family", "family").optional(),
            Column.text("RD", "rd").optional(),
            Column.number("path id", "path_id").optional(),
            Column.text("from", "from"),
            Column.text("until", "until").optional(),
            Column.text("next hop", "next_hop").optional(),
            Column.text("AS path", "as_path").optional()));

    @Mixin
    HistoryOptions events = new HistoryOptions();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Maximum number of events, the oldest first (${DEFAULT-VALUE})")
    int limit = 10_000;

    public TimelineCommand() {
        super(INTERVALS);
    }

    @Override
    ApiPath path() {
        return events.path(limit);
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
