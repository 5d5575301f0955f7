package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute routers}: shows the monitored routers. */
@Command(name = "routers", description = "Shows the monitored routers and the state of their sessions.")
public final class RoutersCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("router", "router"),
            Column.text("address", "address"),
            Column.text("labels", "labels").optional(),
            Column.text("state", "state"),
            Column.text("connected", "connected_at").optional(),
            Column.text("disconnected", "disconnected_at").optional(),
            Column.text("system", "sys_descr").optional()));

    @Option(names = "--at", paramLabel = "TIME", description = "The state at this time, such as 2026-11-21T09:30:00Z")
    @Nullable
    String at;

    @Option(names = "--router", paramLabel = "NAME", description = "Only this router")
    @Nullable
    String router;

    @Mixin
    LabelOption labels = new LabelOption();

    public RoutersCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return labels.add(new ApiPath("routers").with("router", router).with("at", at));
    }
}
