package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import dev.silkroute.app.console.Candidates;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute peers}: shows the BGP peers of the routers. */
@Command(name = "peers", description = "Shows the BGP peers of the routers, one row per peer and RIB view.")
public final class PeersCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.number("peer AS", "peer_asn"),
            Column.text("type", "peer_type"),
            Column.text("table", "table_name").optional(),
            Column.text("labels", "labels").optional(),
            Column.text("view", "rib_view"),
            Column.text("state", "state"),
            Column.text("up", "up_at").optional(),
            Column.text("down", "down_at").optional(),
            Column.text("reason", "down_reason").optional()));

    @Option(names = "--at", paramLabel = "TIME", description = "The state at this time, such as 2026-11-21T09:30:00Z")
    @Nullable
    String at;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            completionCandidates = Candidates.PeerStates.class,
            description = "Only peers in this state: ${COMPLETION-CANDIDATES}")
    @Nullable
    String state;

    @Mixin
    ViewOptions selection = new ViewOptions();

    @Mixin
    LabelOption labels = new LabelOption();

    public PeersCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return labels.add(selection.add(new ApiPath("peers").with("at", at).with("state", state)));
    }
}
