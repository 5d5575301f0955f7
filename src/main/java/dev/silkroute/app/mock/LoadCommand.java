package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.DurationConverter;
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
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code silkroute load}: sends synthetic routers' sessions to a station, through the route in {@code
 * routes/load.camel.yaml}.
 */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = {
            "Generates load: sends the BMP sessions of synthetic routers to a station, the same ones for the same seed.",
            "Prints what was sent, and what the station should hold."
        })
public final class LoadCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 200;
    private static final int MANY_ROUTERS = 2_000;
    private static final long HOLD_MILLIS = 1000;

    /** The names that {@code --families} accepts. */
    static final class Families implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(LoadProfile.FAMILIES.stream().map(Family::text), Stream.of("all"))
                    .iterator();
        }
    }

    /** The names that {@code --views} accepts. */
    static final class Views implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(Stream.of(RibView.values()).map(RibView::text), Stream.of("all"))
                    .iterator();
        }
    }

    /** The names that {@code --churn-profile} accepts. */
    static final class Churns implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(Churn.values()).map(Churn::text).iterator();
        }
    }

    @Mixin
    private MockOptions mock = new MockOptions();

    @Option(
            names = "--routers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of routers (${DEFAULT-VALUE})")
    private int routers;

    @Option(
            names = "--peers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of peers of each router (${DEFAULT-VALUE})")
    private int peers;

    @Option(
            names = "--prefixes",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000",
            description = "Number of prefixes of each peer, in each family and view: one for all families, or one for"
                    + " each (${DEFAULT-VALUE})")
    private List<Integer> prefixes = List.of();

    @Option(
            names = "--families",
            paramLabel = "FAMILY",
            split = ",",
            defaultValue = "ipv4-unicast",
            completionCandidates = Families.class,
            description = "Address families such as ipv4-unicast,ipv6-unicast,vpnv4,evpn, or all (${DEFAULT-VALUE})")
    private List<String> families = List.of();

    @Option(
            names = "--views",
            paramLabel = "VIEW",
            split = ",",
            defaultValue = "adj-rib-in-pre",
            completionCandidates = Views.class,
            description = "RIB views: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private List<String> views = List.of();

    @Option(
            names = "--add-path",
            arity = "0..1",
            paramLabel = "PATHS",
            defaultValue = "0",
            fallbackValue = "2",
            description = "Send path identifiers, with this many paths of each prefix (2 without a number)")
    private int paths;

    @Option(
            names = "--churn",
            paramLabel = "RATE",
            defaultValue = "0",
            description = "Changes per second after the tables, of all routers together")
    private double churn;

    @Option(
            names = "--churn-profile",
            paramLabel = "PROFILE",
            defaultValue = "steady",
            completionCandidates = Churns.class,
            description = "Kind of changes: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private String churnProfile = "";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10",
            converter = DurationConverter.class,
            description = "Duration of the changes, in seconds or with a unit, such as 1.5s, 2m, 1h (${DEFAULT-VALUE})")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Maximum messages per second, of all routers together; 0 for no limit")
    private double rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the generated sessions (${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--malformed",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "Add this many malformed messages per 100 messages of tables and changes")
    private int malformed;

    @Option(names = "--down", description = "Send Peer Downs and Terminations at the end")
    private boolean down;

    @Option(
            names = "--source-addresses",
            description = "Connect each router from its own loopback address, 127.1.0.1 and so on; Linux only")
    private boolean sourceAddresses;

    @Option(
            names = "--reconnect",
            arity = "0..1",
            paramLabel = "TIME",
            fallbackValue = "300",
            converter = DurationConverter.class,
            description = "Start a new session when a connection is lost; a router gives up after this time (300)")
    private @Nullable Duration reconnect;

    @Option(
            names = "--expected",
            paramLabel = "FILE",
            description = "Write what the station should hold: router, peer, view, family, routes, separated by tabs")
    private @Nullable Path expectedFile;

    @Override
    public Integer call() {
        LoadRun.Options options = new LoadRun.Options(
                station(), mock.tls(), rate, churn, sourceAddresses, reconnect, mock.routesDirectory());
        LoadPlan plan = new LoadPlan(profile());
        try (Interruption interruption = new Interruption();
                LoadRun run = new LoadRun(plan, options)) {
            return interruption.exitWith(load(plan, run, interruption));
        }
    }

    private int load(LoadPlan plan, LoadRun run, Interruption interruption) {
        if (routers >= MANY_ROUTERS) {
            mock.warn(String.format(Locale.ROOT, "creating %,d Camel routes first, which takes a while", routers));
        }
        try {
            run.start();
        } catch (OperatorError e) {
            return mock.fail(e, "nothing was sent");
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
        } else if (!mock.hold()) {
            run.finish();
        }
        LoadReport report = new LoadReport(mock, run, routers);
        int code = report.print(interrupted, reconnect != null, malformed > 0, expectedFile);
        return mock.hold() && code == ExitCode.OK && !interrupted ? hold(run, report, interruption) : code;
    }

    /** Keeps the connections open until interrupted, and reports sessions that fail or restart meanwhile. */
    private int hold(LoadRun run, LoadReport report, Interruption interruption) {
        mock.announceHold();
        long restarts = run.restarts();
        int failures = 0;
        while (!interruption.await(HOLD_MILLIS)) {
            boolean done = run.await(POLL_MILLIS);
            int failed = run.failures().size();
            if (failed > failures) {
                failures = failed;
                mock.warn(report.failures());
            } else if (done && run.restarts() > restarts) {
                restarts = run.restarts();
                mock.warn(String.format(
                        Locale.ROOT,
                        "%,d sessions restarted so far; the station should hold %,d routes",
                        restarts,
                        run.tableSizes().stream().mapToLong(TableSize::routes).sum()));
            }
        }
        return failures == 0 ? ExitCode.OK : ExitCode.FAILURE;
    }

    private LoadProfile profile() {
        mock.require(reconnect == null || reconnect.isPositive(), "--reconnect must be positive");
        mock.require(
                rate >= 0 && churn >= 0 && !duration.isNegative(),
                "--rate, --churn and --duration must not be negative");
        return mock.parse(
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
                        Math.round(churn * duration.toNanos() / 1e9),
                        down,
                        malformed));
    }

    /** Returns the station. On systems other than Linux, 127.0.0.1 is the only address of 127.0.0.0/8 that exists. */
    private StationAddress station() {
        StationAddress station = mock.station();
        mock.require(
                !sourceAddresses
                        || (station.isLoopbackIpv4()
                                && System.getProperty("os.name", "").equals("Linux")),
                "--source-addresses needs Linux and a station at an IPv4 loopback address, such as --to 127.0.0.1:"
                        + station.port() + ", not " + station);
        return station;
    }

    private List<Integer> families() {
        return families.equals(List.of("all"))
                ? LoadProfile.FAMILIES
                : families.stream()
                        .map(text -> choose("--families", text, LoadProfile.FAMILIES, Family::text))
                        .toList();
    }

    private Set<RibView> views() {
        List<RibView> all = List.of(RibView.values());
        return views.equals(List.of("all"))
                ? Set.copyOf(all)
                : views.stream()
                        .map(text -> choose("--views", text, all, RibView::text))
                        .collect(Collectors.toSet());
    }

    private Churn churn() {
        return choose("--churn-profile", churnProfile, List.of(Churn.values()), Churn::text);
    }

    /** Returns the value with this name. */
    private static <T> T choose(String option, String name, List<T> values, Function<T, String> nameOf) {
        return values.stream()
                .filter(value -> nameOf.apply(value).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(option + ": '" + name + "' is not one of "
                        + values.stream().map(nameOf).collect(Collectors.joining(", "))));
    }
}
