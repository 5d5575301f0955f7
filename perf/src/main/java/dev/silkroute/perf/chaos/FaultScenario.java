package dev.silkroute.perf.chaos;

import dev.silkroute.bgp.RibView;
import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Verdict;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** A scenario that breaks parts of a station under load, and whose result is a list of values. */
abstract class FaultScenario extends Scenario {
    /** The folder of the station that is built here. */
    static final Path STATION = HOME.resolveSibling(".");

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

    private final List<Map<String, Object>> rows = new ArrayList<>();

    final long seed() {
        return seed;
    }

    final Plan plan(double changesPerSecond) throws IOException {
        return plan(changesPerSecond, false);
    }

    /** @param moving whether a router that has lost its connection connects to any of the collectors */
    final Plan plan(double changesPerSecond, boolean moving) throws IOException {
        Path logs = folder();
        LoadProfile profile = TestLoad.of(seed, peers, prefixes)
                .routers(routers)
                .families(Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.EVPN)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_IN_POST_POLICY)
                .paths(2)
                .changes(Long.MAX_VALUE)
                .profile();
        System.out.printf("Seed %d. Logs: %s%n", seed, logs);
        return new Plan(
                STATION,
                Files.createTempDirectory("silkroute-" + logs.getFileName()),
                logs,
                profile,
                changesPerSecond,
                List.of(),
                Duration.ofMinutes(30),
                moving);
    }

    final void row(String what, Object value) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("what", what);
        row.put("value", value);
        rows.add(row);
    }

    final void rows(Verdict verdict) {
        row("BMP sessions begun", verdict.sessions());
        row("routes at the end", verdict.routes());
        row("events in bmp.routes", verdict.events());
        row("events in history", verdict.history().rows());
        row("events lost", verdict.history().missing());
        row("events twice", verdict.history().twice());
        row("events that are not in the topic, or differ", verdict.history().unknown());
        row(
                "announcements not repeated, unchanged after a reconnect",
                verdict.history().unchanged());
        row("withdrawals made by the station", verdict.history().synthetic());
        row("of them in the name of a later End-of-RIB", verdict.history().late());
        row("routes that came again before their withdrawal", verdict.history().spared());
        row("withdrawals by the station that are missing", verdict.history().unended());
        row("withdrawals by the station that are too many", verdict.history().wronglyEnded());
        row("seconds until current state was right", verdict.recovered());
        row("MiB resident, largest process", verdict.mostMib() + " (bound: " + Verdict.MOST_MIB + ")");
        row("faults", verdict.faults().isEmpty() ? "none" : String.join("; ", verdict.faults()));
    }

    /** Publishes the rows and prints the faults. Returns the exit code. */
    final int finish(Plan plan, List<String> faults) throws IOException {
        publish(List.of(), rows);
        faults.forEach(System.out::println);
        if (keep) {
            System.out.println("Data: " + plan.folder());
        } else {
            Folders.delete(plan.folder());
        }
        return faults.isEmpty() ? 0 : 1;
    }
}
