package dev.silkroute.app.cli;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.component.nettyff.NettyFfStatistics;
import dev.silkroute.load.Churn;
import dev.silkroute.load.ExpectedFaults;
import dev.silkroute.load.ExpectedRib;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute load}: synthetic routers into a station, through the route in {@code routes/load.yaml}. */
@Command(
        name = "load",
        description = {
            "Plays routers: synthetic BMP sessions into a station, the same for the same seed.",
            "Ends with what was sent, and what the station should hold."
        })
public final class LoadCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 200;
    private static final int MANY_ROUTERS = 2_000;
    private static final long HOLD_MILLIS = 1000;

    @Mixin
    private MockOptions mock = new MockOptions();

    @Option(names = "--routers", paramLabel = "N", defaultValue = "1", description = "Routers (${DEFAULT-VALUE}).")
    private int routers;

    @Option(names = "--peers", paramLabel = "N", defaultValue = "2", description = "Of each router (${DEFAULT-VALUE}).")
    private int peers;

    @Option(
            names = "--prefixes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Of each peer in each family and view (${DEFAULT-VALUE}).")
    private int prefixes;

    @Option(
            names = "--families",
            paramLabel = "F,…",
            split = ",",
            defaultValue = "ipv4-unicast",
            description = "Such as ipv4-unicast,ipv6-unicast,vpnv4,evpn, or all (${DEFAULT-VALUE}).")
    private List<String> families = List.of();

    @Option(
            names = "--views",
            paramLabel = "V,…",
            split = ",",
            defaultValue = "adj-rib-in-pre",
            description = "adj-rib-in-pre, adj-rib-in-post, adj-rib-out-pre, adj-rib-out-post, loc-rib, or all"
                    + " (${DEFAULT-VALUE}).")
    private List<String> views = List.of();

    @Option(
            names = "--add-path",
            arity = "0..1",
            paramLabel = "PATHS",
            defaultValue = "0",
            fallbackValue = "2",
            description = "Path identifiers, and so many paths of each prefix (2 if no number is given).")
    private int paths;

    @Option(
            names = "--churn",
            paramLabel = "RATE",
            defaultValue = "0",
            description = "Changes per second after the tables, of all routers together.")
    private double churn;

    @Option(
            names = "--churn-profile",
            paramLabel = "P",
            defaultValue = "steady",
            description = "Which changes: steady, flap, redump, wave (${DEFAULT-VALUE}).")
    private String churnProfile = "";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10",
            converter = SecondsConverter.class,
            description = "How long there are changes, in seconds, or such as 90s, 2m, 1h (${DEFAULT-VALUE}).")
    private double duration;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Most messages per second, of all routers together; 0 is no limit.")
    private double rate;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "What is made (${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--malformed",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "So many malformed messages for 100 of tables and changes.")
    private int malformed;

    @Option(names = "--down", description = "Peer Downs and Terminations at the end.")
    private boolean down;

    @Option(
            names = "--source-addresses",
            description = "Each router connects from its own loopback address, 127.1.0.1 and so on; Linux only.")
    private boolean sourceAddresses;

    @Option(
            names = "--reconnect",
            arity = "0..1",
            paramLabel = "TIME",
            fallbackValue = "300",
            converter = SecondsConverter.class,
            description = "A router whose connection is lost begins a new session, and tries so long (300).")
    private @Nullable Double reconnect;

    @Option(
            names = "--expected",
            paramLabel = "FILE",
            description = "Write what the station should hold: router, peer, view, family, routes, separated by tabs.")
    private @Nullable Path expectedFile;

    @Override
    public Integer call() {
        LoadRun.Options options =
                new LoadRun.Options(station(), rate, churn, sourceAddresses, patience(), mock.routesDirectory());
        LoadPlan plan = new LoadPlan(profile());
        try (Interruption interruption = new Interruption();
                LoadRun run = new LoadRun(plan, options)) {
            return interruption.exit(load(plan, run, interruption));
        }
    }

    private int load(LoadPlan plan, LoadRun run, Interruption interruption) {
        if (routers >= MANY_ROUTERS) {
            mock.say(String.format(Locale.ROOT, "making %,d routes first, which takes a while", routers));
        }
        try {
            run.start();
        } catch (OperatorError e) {
            return mock.fail(e.getMessage() + "; nothing was sent");
        }
        LoadProfile profile = plan.profile();
        try (LoadProgress progress = new LoadProgress(mock.err(), profile.initialRoutes(), profile.changes())) {
            boolean done = false;
            while (!done && !interruption.happened()) {
                done = run.await(POLL_MILLIS);
                progress.update(run);
            }
        }
        boolean interrupted = interruption.happened();
        if (interrupted) {
            run.stop();
        }
        int code = report(run, interrupted);
        return mock.hold() && code == 0 && !interrupted ? hold(run, interruption) : code;
    }

    /** Keeps the connections, and says what becomes of them. */
    private int hold(LoadRun run, Interruption interruption) {
        mock.say("holding the connections open until interrupted");
        int restarts = run.restarts();
        int failures = 0;
        while (!interruption.await(HOLD_MILLIS)) {
            boolean done = run.await(POLL_MILLIS);
            Map<String, String> failed = run.failures();
            if (failed.size() > failures) {
                failures = failed.size();
                mock.say(broken(failed));
            } else if (done && run.restarts() > restarts) {
                restarts = run.restarts();
                mock.say(String.format(
                        Locale.ROOT,
                        "%,d sessions begun anew so far; the station should hold %,d routes",
                        restarts,
                        run.expected().stream().mapToLong(ExpectedRib::routes).sum()));
            }
        }
        return failures == 0 ? 0 : Cli.USAGE;
    }

    private String broken(Map<String, String> failures) {
        return failures.size() + " of " + routers + " sessions to " + mock.station() + ": "
                + String.join(", ", new TreeSet<>(failures.values()));
    }

    private int report(LoadRun run, boolean interrupted) {
        PrintWriter out = mock.out();
        NettyFfStatistics statistics = run.statistics();
        String sent = String.format(
                Locale.ROOT,
                "%,d messages with %,d announcements and %,d withdrawals, %,d bytes in %.3f s;"
                        + " accepted %,d, written %,d, failed %,d, refused %,d%s",
                run.messages(),
                run.announced(),
                run.withdrawn(),
                run.bytes(),
                run.seconds(),
                statistics.accepted(),
                statistics.written(),
                statistics.failed(),
                statistics.refused(),
                reconnect == null ? "" : String.format(Locale.ROOT, "; sessions begun anew %,d", run.restarts()));
        Map<String, String> failures = run.failures();
        boolean stuck = statistics.pending() > 0;
        if (interrupted && stuck) {
            mock.say("interrupted while the station took no more; sent before: " + sent);
            return Interruption.EXIT;
        }
        if (!failures.isEmpty() || stuck || (statistics.failed() > 0 && reconnect == null)) {
            String reason = failures.isEmpty() ? "the station takes no more" : broken(failures);
            return mock.fail(reason + "; sent before: " + sent);
        }
        out.println((interrupted ? "Interrupted after " : "Sent ") + sent);
        List<ExpectedRib> expected = run.expected();
        Map<String, Long> sums = new TreeMap<>();
        expected.forEach(
                rib -> sums.merge(rib.view().text() + " " + Family.text(rib.family()), (long) rib.routes(), Long::sum));
        out.printf(
                Locale.ROOT,
                "The station should hold %,d routes%s%n",
                sums.values().stream().mapToLong(Long::longValue).sum(),
                sums.isEmpty() ? "" : ":");
        sums.forEach((rib, routes) -> out.printf(Locale.ROOT, "  %s %,d%n", rib, routes));
        reportFaults(run.faults(), out);
        out.flush();
        return write(expected) ? interrupted && !mock.hold() ? Interruption.EXIT : 0 : Cli.USAGE;
    }

    private void reportFaults(List<ExpectedFaults> faults, PrintWriter out) {
        if (malformed == 0) {
            return;
        }
        Map<String, Long> sums = new TreeMap<>();
        long quarantined = 0;
        for (ExpectedFaults one : faults) {
            for (Map.Entry<MessageType, Long> entry : one.quarantined().entrySet()) {
                sums.merge("quarantine " + entry.getKey().text(), entry.getValue(), Long::sum);
                quarantined += entry.getValue();
            }
            one.outcomes().forEach((kind, count) -> sums.merge(kind.text(), count, Long::sum));
        }
        out.printf(
                Locale.ROOT,
                "%,d messages were malformed, %,d of which the station should quarantine:%n",
                faults.stream().mapToLong(ExpectedFaults::malformed).sum(),
                quarantined);
        sums.forEach((what, count) -> out.printf(Locale.ROOT, "  %s %,d%n", what, count));
    }

    private boolean write(List<ExpectedRib> expected) {
        if (expectedFile == null) {
            return true;
        }
        try {
            Files.write(
                    expectedFile,
                    expected.stream()
                            .map(rib -> String.join(
                                    "\t",
                                    rib.router(),
                                    rib.peerAddress(),
                                    rib.view().text(),
                                    Family.text(rib.family()),
                                    Integer.toString(rib.routes())))
                            .toList());
            return true;
        } catch (IOException e) {
            mock.say("cannot write " + expectedFile + ": " + OperatorError.reason(e));
            return false;
        }
    }

    private LoadProfile profile() {
        mock.check(reconnect == null || reconnect > 0, "--reconnect must be more than 0 seconds");
        mock.check(rate >= 0 && churn >= 0 && duration >= 0, "--rate, --churn and --duration can't be negative");
        return mock.parsed(
                "",
                () -> new LoadProfile(
                        seed,
                        routers,
                        peers,
                        prefixes,
                        families(),
                        views(),
                        paths,
                        churn(),
                        Math.round(churn * duration),
                        down,
                        malformed));
    }

    /** On other systems than Linux 127.0.0.1 is the only address of its kind that is there. */
    private StationAddress station() {
        StationAddress station = mock.station();
        mock.check(
                !sourceAddresses
                        || (station.loopbackIpv4()
                                && System.getProperty("os.name", "").equals("Linux")),
                "--source-addresses needs Linux and a station at an IPv4 loopback address, such as --to 127.0.0.1:"
                        + station.port() + ", not " + station);
        return station;
    }

    private @Nullable Duration patience() {
        return reconnect == null ? null : Duration.ofMillis(Math.round(reconnect * 1000));
    }

    private List<Integer> families() {
        return families.equals(List.of("all"))
                ? LoadProfile.FAMILIES
                : families.stream().map(LoadCommand::family).toList();
    }

    private static int family(String text) {
        return LoadProfile.FAMILIES.stream()
                .filter(family -> Family.text(family).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--families: '" + text + "' is none of "
                        + LoadProfile.FAMILIES.stream().map(Family::text).collect(Collectors.joining(", "))));
    }

    private Set<RibView> views() {
        return views.equals(List.of("all"))
                ? Set.of(RibView.values())
                : views.stream().map(LoadCommand::view).collect(Collectors.toSet());
    }

    private static RibView view(String text) {
        return Arrays.stream(RibView.values())
                .filter(view -> view.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--views: '" + text + "' is none of "
                        + Arrays.stream(RibView.values()).map(RibView::text).collect(Collectors.joining(", "))));
    }

    private Churn churn() {
        return Arrays.stream(Churn.values())
                .filter(profile -> profile.text().equals(churnProfile))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--churn-profile: '" + churnProfile + "' is none of "
                        + Arrays.stream(Churn.values()).map(Churn::text).collect(Collectors.joining(", "))));
    }
}
