package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute history}: shows the announcements and withdrawals of a prefix. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows the announcements and withdrawals of a prefix, and what each of them changed.")
public final class HistoryCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            new Column("time", "received_at", false, false),
            new Column("router", "router", false, false),
            new Column("peer", "peer_address", false, false),
            new Column("view", "rib_view", false, false),
            new Column("RD", "rd", false, true),
            new Column("path id", "path_id", true, true),
            new Column("event", "event", false, false),
            new Column("change", "change", false, false),
            new Column("changed", "changed", false, true),
            new Column("next hop", "next_hop", false, true),
            new Column("AS path", "as_path", false, true)));

    @Parameters(paramLabel = "PREFIX", arity = "1", description = "The prefix, such as 192.0.2.0/24")
    String prefix = "";

    @Option(names = "--from", paramLabel = "TIME", description = "Events from this time, such as 2026-11-21T09:30:00Z")
    @Nullable
    String from;

    @Option(
            names = {"--to", "--at"},
            paramLabel = "TIME",
            description = "Events up to this time")
    @Nullable
    String to;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of events (${DEFAULT-VALUE})")
    int limit = 100;

    @Mixin
    ViewOptions selection = new ViewOptions();

    public HistoryCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return selection.add(new ApiPath("routes/history")
                .with("prefix", prefix)
                .with("from", from)
                .with("to", to)
                .with("limit", limit));
    }
}
