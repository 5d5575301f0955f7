package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute compare}: shows a prefix in the five RIB views. */
@Command(
        name = "compare",
        description = "Shows a prefix in the RIB views of each peer: what policy changed, and whether it was selected.")
public final class CompareCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.number("peer AS", "peer_asn"),
            Column.text("RD", "rd").optional(),
            Column.number("path id", "path_id").optional(),
            Column.text("direction", "direction"),
            Column.text("outcome", "outcome"),
            Column.text("changed", "changed").optional(),
            Column.text("selected", "selected").optional(),
            Column.text("RPKI", "rpki_validity").optional(),
            Column.text("state", "stale").optional()));

    @Parameters(paramLabel = "PREFIX", arity = "1", description = "The prefix, such as 192.0.2.0/24")
    String prefix = "";

    @Option(names = "--at", paramLabel = "TIME", description = "The state at this time, such as 2026-11-21T09:30:00Z")
    @Nullable
    String at;

    @Mixin
    PeerOptions selection = new PeerOptions();

    public CompareCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return selection.add(new ApiPath("compare").with("prefix", prefix).with("at", at));
    }
}
