package dev.silkroute.app.ask;

import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.Candidates;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.OutputOptions;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute lookup}: shows the routes of an address or prefix, from a running station. */
@Command(
        name = "lookup",
        description = {
            "Shows the routes that match an address, or that cover a prefix.",
            "For each peer and RIB view, these are the routes with the longest matching prefix."
        })
public final class LookupCommand extends ConsoleCommand {
    @Parameters(
            paramLabel = "ADDRESS|PREFIX",
            arity = "1",
            description = "Address or prefix, such as 192.0.2.1 or 2001:db8::/32")
    private String destination = "";

    @Option(names = "--at", paramLabel = "TIME", description = "The state at this time, such as 2026-11-21T09:30:00Z")
    private @Nullable String at;

    @Option(
            names = "--rpki-validity",
            paramLabel = "STATE",
            completionCandidates = Candidates.Validities.class,
            description = "Only routes with this validity by RPKI: ${COMPLETION-CANDIDATES}")
    private @Nullable String validity;

    @Option(
            names = "--aspa",
            paramLabel = "VERDICT",
            completionCandidates = Candidates.Verdicts.class,
            description = "Only routes whose AS path has this verdict by ASPAs: ${COMPLETION-CANDIDATES}")
    private @Nullable String aspa;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private StationApi station = new StationApi();

    @Override
    public Integer call() {
        IpPrefix prefix;
        try {
            prefix = IpPrefix.parse(destination.strip());
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()), e);
        }
        boolean isAddress = destination.indexOf('/') < 0;
        String canonical = isAddress ? Addresses.text(prefix.ipv6(), prefix.high(), prefix.low()) : prefix.toString();
        var routes = station.get(new ApiPath("lookup")
                .with(isAddress ? "address" : "prefix", canonical)
                .with("at", at)
                .with("rpki_validity", validity)
                .with("aspa", aspa)
                .toString());
        OriginNames.add(ReadCommand.rows(routes), station);
        output.print(routes, response -> LookupText.of(canonical, response), LookupText::csv);
        return ExitCode.OK;
    }
}
