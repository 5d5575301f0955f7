package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute history}: shows the announcements and withdrawals of a prefix. */
@Command(
        name = "history",
        description = "Shows the announcements and withdrawals of a prefix, and what each of them changed.")
public final class HistoryCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("time", "received_at"),
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.text("view", "rib_view"),
            Column.text("RD", "rd").optional(),
            Column.number("path id", "path_id").optional(),
            Column.text("event", "event"),
            Column.text("change", "change"),
            Column.text("changed", "changed").optional(),
            Column.text("next hop", "next_hop").optional(),
            Column.text("AS path", "as_path").optional(),
            Column.text("origin name", OriginNames.FIELD).optional(),
            Column.text("RPKI", "rpki_validity").optional()));

    @Mixin
    HistoryOptions events = new HistoryOptions();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of events (${DEFAULT-VALUE})")
    int limit = 100;

    public HistoryCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return events.path(limit).with("fields", ApiPath.WITH_VALIDITY);
    }
}
