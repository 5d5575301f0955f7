package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.ask.JsonTable.Column;
import dev.silkroute.app.console.Candidates;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute reconcile}: compares the tables of the RIB with other copies of them. */
@Command(
        name = "reconcile",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares the tables of the station's RIB with those in PostgreSQL or of a twin station, and shows the"
                    + " routes that differ; or the station's route counts with those that routers report."
        })
public final class ReconcileCommand extends ReadCommand {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.text("view", "rib_view"),
            Column.text("family", "family").optional(),
            Column.text("state", "state"),
            Column.text("reason", "reason").optional(),
            Column.number("station", "station_count").optional(),
            Column.number("router's", "router_count").optional(),
            Column.number("routes here", "here_routes").optional(),
            Column.text("digest here", "here_digest").optional(),
            Column.number("there", "there_routes").optional(),
            Column.text("digest there", "there_digest").optional(),
            Column.number("differing", "differing_routes").optional(),
            Column.number("settled", "settled_routes").optional()));

    private static final JsonTable ROUTES = new JsonTable(List.of(
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.text("view", "rib_view"),
            Column.text("family", "family"),
            Column.text("NLRI", "nlri"),
            Column.number("path id", "path_id").optional(),
            Column.text("state", "state"),
            Column.text("changing", "moving").optional()));

    @Option(
            names = "--with",
            paramLabel = "COPY",
            defaultValue = "database",
            completionCandidates = Candidates.Copies.class,
            description = "What to compare with: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    String with = "database";

    @Option(names = "--family", paramLabel = "FAMILY", description = "Only this family, such as ipv4-unicast")
    @Nullable
    String family;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            completionCandidates = Candidates.TableStates.class,
            description = "Only tables in this state: ${COMPLETION-CANDIDATES}")
    @Nullable
    String state;

    @Option(
            names = "--routes",
            paramLabel = "N",
            description = "Maximum number of differing routes to show for each table, 0 to 128; 20 by default")
    @Nullable
    Integer routes;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The counts at this time, such as 2026-11-21T09:30:00Z; with routers only")
    @Nullable
    String at;

    @Mixin
    ViewOptions selection = new ViewOptions();

    public ReconcileCommand() {
        super(TABLE);
    }

    @Override
    Duration timeout() {
        return TIMEOUT;
    }

    @Override
    ApiPath path() {
        return selection.add(new ApiPath("reconcile")
                .with("with", with)
                .with("family", family)
                .with("state", state)
                .with("routes", routes)
                .with("at", at));
    }

    @Override
    String text(JsonNode answer) {
        var differing =
                StreamSupport.stream(answer.path("routes").spliterator(), false).toList();
        return super.text(answer) + (differing.isEmpty() ? "" : "\n" + ROUTES.text(differing));
    }
}
