package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute peers}: shows the BGP peers of the routers. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows the BGP peers of the routers, one row per peer and RIB view.")
public final class PeersCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            new Column("router", "router", false, false),
            new Column("peer", "peer_address", false, false),
            new Column("peer AS", "peer_asn", true, false),
            new Column("type", "peer_type", false, false),
            new Column("table", "table_name", false, true),
            new Column("view", "rib_view", false, false),
            new Column("state", "state", false, false),
            new Column("up", "up_at", false, true),
            new Column("down", "down_at", false, true),
            new Column("reason", "down_reason", false, true)));

    @Option(names = "--at", paramLabel = "TIME", description = "The state at this time, such as 2026-11-21T09:30:00Z")
    @Nullable
    String at;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only peers in this state: up, down, stale, unannounced")
    @Nullable
    String state;

    @Mixin
    ViewOptions selection = new ViewOptions();

    public PeersCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return selection.add(new ApiPath("peers").with("at", at).with("state", state));
    }
}
