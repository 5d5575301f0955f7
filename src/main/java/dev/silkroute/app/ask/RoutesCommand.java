package dev.silkroute.app.ask;

import dev.silkroute.app.ask.JsonTable.Column;
import dev.silkroute.app.console.Candidates;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute routes}: shows routes that meet conditions. */
@Command(name = "routes", description = "Shows the routes that meet all conditions, now or at a time.")
public final class RoutesCommand extends ReadCommand {
    private static final JsonTable TABLE = new JsonTable(List.of(
            Column.text("NLRI", "nlri"),
            Column.text("router", "router"),
            Column.text("peer", "peer_address"),
            Column.text("view", "rib_view"),
            Column.number("path id", "path_id").optional(),
            Column.text("next hop", "next_hop").optional(),
            Column.text("AS path", "as_path"),
            Column.text("origin name", OriginNames.FIELD).optional(),
            Column.text("RPKI", "rpki_validity").optional(),
            Column.number("pref", "local_pref").optional(),
            Column.number("MED", "med").optional(),
            Column.text("state", "stale").optional(),
            Column.text("communities", "communities").optional()));

    @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "Prefix or address; see --match")
    @Nullable
    String prefix;

    @Option(
            names = "--match",
            paramLabel = "MATCH",
            completionCandidates = Candidates.Matches.class,
            description = "Relation to PREFIX: ${COMPLETION-CANDIDATES} (exact)")
    @Nullable
    String match;

    @Option(names = "--family", paramLabel = "FAMILY", description = "Only this family, such as ipv4-unicast")
    @Nullable
    String family;

    @Option(names = "--origin-asn", paramLabel = "AS", description = "Only routes with this origin AS")
    @Nullable
    String originAsn;

    @Option(names = "--as-path-contains", paramLabel = "AS", description = "Only routes whose AS path contains this AS")
    @Nullable
    String contained;

    @Option(
            names = "--community",
            paramLabel = "COMMUNITY",
            description =
                    "Only routes with this community, such as 64500:1, 64500:1:2, rt:64500:1 or 64500:*; repeatable")
    List<String> communities = List.of();

    @Option(
            names = "--rpki-validity",
            paramLabel = "STATE",
            completionCandidates = Candidates.Validities.class,
            description = "Only routes with this validity by RPKI: ${COMPLETION-CANDIDATES}")
    @Nullable
    String validity;

    @Option(names = "--at", paramLabel = "TIME", description = "The state at this time, such as 2026-11-21T09:30:00Z")
    @Nullable
    String at;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of routes (${DEFAULT-VALUE})")
    int limit = 100;

    @Mixin
    ViewOptions selection = new ViewOptions();

    public RoutesCommand() {
        super(TABLE);
    }

    @Override
    ApiPath path() {
        var path = new ApiPath("routes")
                .with("prefix", prefix)
                .with("match", match)
                .with("family", family)
                .with("origin_asn", originAsn)
                .with("as_path_contains", contained)
                .with("rpki_validity", validity)
                .with("at", at)
                .with("limit", limit)
                .with("fields", ApiPath.WITH_VALIDITY);
        communities.forEach(community -> path.with("community", community));
        return selection.add(path);
    }
}
