package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import dev.silkroute.app.console.Candidates;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code silkroute alerts}: shows alerts. */
@Command(
        name = "alerts",
        description =
                "Shows alerts on routes, tables, peers and routers, the newest first. With --json, each has its evidence.")
public final class AlertsCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("opened", "opened_at"),
            Column.text("rule", "rule"),
            Column.text("prefix", "prefix").optional(),
            Column.text("router", "router").optional(),
            Column.text("peer", "peer_address").optional(),
            Column.text("condition", "condition"),
            Column.number("points", "vantage_points"),
            Column.text("description", "description").optional(),
            Column.text("closed", "closed_at").optional()));

    @Option(
            names = "--state",
            paramLabel = "STATE",
            completionCandidates = Candidates.AlertStates.class,
            description = "Alerts in this state: ${COMPLETION-CANDIDATES} (open)")
    @Nullable
    String state;

    @Option(
            names = "--rule",
            paramLabel = "RULE",
            completionCandidates = Candidates.AlertRules.class,
            description = "Only alerts of this rule, such as origin-change")
    @Nullable
    String rule;

    @Option(
            names = "--router",
            paramLabel = "ROUTER",
            description =
                    "Only alerts about this router, its peers and tables, and those of which it is a vantage point")
    @Nullable
    String router;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            description = "Only alerts about this prefix and more specific ones")
    @Nullable
    String prefix;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The alerts that had been opened by this time, in their state then")
    @Nullable
    String at;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of alerts (${DEFAULT-VALUE})")
    private int limit;

    public AlertsCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        return new ApiPath("alerts")
                .with("state", state)
                .with("rule", rule)
                .with("router", router)
                .with("prefix", prefix)
                .with("at", at)
                .with("limit", limit);
    }
}
