package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute diff}: shows the routes that differ between two times. */
@Command(name = "diff", description = "Shows the routes that were added, removed or changed between two times.")
public final class DiffCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("change", "change"),
            Column.text("NLRI", "nlri"),
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.text("view", "rib_view"),
            Column.number("path id", "path_id").optional(),
            Column.text("changed", "changed").optional(),
            Column.text("old next hop", "old_next_hop").optional(),
            Column.text("new next hop", "new_next_hop").optional(),
            Column.text("old AS path", "old_as_path").optional(),
            Column.text("new AS path", "new_as_path").optional()));

    @Parameters(
            index = "0",
            paramLabel = "FROM",
            description = "The earlier time, such as 2026-11-21T09:30:00Z, or after -- an age, such as -1h")
    String from = "";

    @Parameters(index = "1", paramLabel = "TO", arity = "0..1", description = "The later time; the present by default")
    @Nullable
    String to;

    @Option(names = "--within", paramLabel = "PREFIX", description = "Only prefixes that this one covers")
    @Nullable
    String within;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of routes (${DEFAULT-VALUE})")
    int limit = 100;

    @Mixin
    ViewOptions selection = new ViewOptions();

    public DiffCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return selection.add(new ApiPath("rib/diff")
                .with("from", from)
                .with("to", to)
                .with("within", within)
                .with("limit", limit));
    }
}
