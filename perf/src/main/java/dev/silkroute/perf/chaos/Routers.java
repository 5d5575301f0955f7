package dev.silkroute.perf.chaos;

import dev.silkroute.bgp.RibView;
import dev.silkroute.chaos.Plan;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The load that both scenarios share. */
final class Routers {
    @Option(names = "--routers", defaultValue = "6", description = "(${DEFAULT-VALUE})")
    private int routers;

    @Option(names = "--peers", defaultValue = "4", description = "of each router (${DEFAULT-VALUE})")
    private int peers;

    @Option(
            names = "--prefixes",
            defaultValue = "250",
            description = "of each peer in each of four families and two views, by two paths (${DEFAULT-VALUE})")
    private int prefixes;

    @Option(names = "--seed", description = "of routers and blows; a random one by default")
    private long seed = System.nanoTime() & 0xFFFF_FFFFL;

    @Option(names = "--keep", description = "keep the data")
    private boolean keep;

    long seed() {
        return seed;
    }

    LoadProfile profile() {
        return new LoadProfile(
                seed,
                routers,
                peers,
                prefixes,
                List.of(Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.EVPN),
                EnumSet.of(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_IN_POST_POLICY),
                2,
                Churn.STEADY,
                Long.MAX_VALUE,
                false);
    }

    private static Path perf() {
        return Path.of(System.getProperty("perf.home", "perf")).toAbsolutePath();
    }

    /** Of the station that is built here. */
    static Path home() {
        return perf().resolveSibling(".");
    }

    Plan plan(String scenario, double changesPerSecond) throws IOException {
        Path perf = perf();
        return new Plan(
                home(),
                Files.createTempDirectory("silkroute-" + scenario),
                perf.resolve("target").resolve(scenario),
                profile(),
                changesPerSecond,
                List.of(),
                Duration.ofMinutes(30));
    }

    void clean(Plan plan) throws IOException {
        if (keep) {
            System.out.println("Data: " + plan.folder());
            return;
        }
        try (Stream<Path> files = Files.walk(plan.folder())) {
            files.sorted(Comparator.reverseOrder()).forEach(Routers::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
