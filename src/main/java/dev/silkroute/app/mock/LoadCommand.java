package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.Interruption;
import dev.silkroute.bgp.RibView;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.TableSize;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
            return interruption.exitWith(load(plan, run, interruption));
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
            while (!done && !interruption.isRequested()) {
                done = run.await(POLL_MILLIS);
                progress.update(run);
            }
        }
        boolean interrupted = interruption.isRequested();
        if (interrupted) {
            run.stop();
        }
        LoadReport report = new LoadReport(mock, run, routers);
        int code = report.finish(interrupted, reconnect != null, malformed > 0, expectedFile);
        return mock.hold() && code == 0 && !interrupted ? hold(run, report, interruption) : code;
    }

    /** Keeps the connections, and says what becomes of them. */
    private int hold(LoadRun run, LoadReport report, Interruption interruption) {
        mock.say("holding the connections open until interrupted");
        int restarts = run.restarts();
        int failures = 0;
        while (!interruption.await(HOLD_MILLIS)) {
            boolean done = run.await(POLL_MILLIS);
            int failed = run.failures().size();
            if (failed > failures) {
                failures = failed;
                mock.say(report.broken());
            } else if (done && run.restarts() > restarts) {
                restarts = run.restarts();
                mock.say(String.format(
                        Locale.ROOT,
                        "%,d sessions begun anew so far; the station should hold %,d routes",
                        restarts,
                        run.expected().stream().mapToLong(TableSize::routes).sum()));
            }
        }
        return failures == 0 ? 0 : ExitCode.USAGE_ERROR;
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
