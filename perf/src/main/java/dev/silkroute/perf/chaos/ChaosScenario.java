package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.KeptData;
import dev.silkroute.chaos.Monkey;
import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Verdict;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Injects failures into a station under load, at random moments, and compares what is stored with its routers' tables.
 */
@Command(
        name = "chaos",
        description =
                "Killed processes, failovers, faults of the network, of disks and of clocks, and added partitions,"
                        + " under load: what is lost, what comes twice.")
public final class ChaosScenario extends FaultScenario {
    @Option(
            names = "--each",
            defaultValue = "20",
            description = "failures of each kind, in random order (${DEFAULT-VALUE})")
    private int each;

    @Option(
            names = "--kinds",
            split = ",",
            description = "of ${COMPLETION-CANDIDATES}; by default all that are possible here")
    private Set<Monkey.Blow> kinds = Set.of();

    @Option(
            names = "--moving",
            description = "let a router that has lost its connection connect to any of the collectors")
    private boolean moving;

    @Option(
            names = "--rate",
            defaultValue = "300",
            description = "changes per second of each router (${DEFAULT-VALUE})")
    private double rate;

    @Option(
            names = "--pause",
            defaultValue = "8000",
            description = "maximum milliseconds between failures (${DEFAULT-VALUE})")
    private int pause;

    @Option(
            names = "--down",
            defaultValue = "5000",
            description = "maximum milliseconds until a restart (${DEFAULT-VALUE})")
    private int down;

    @Option(names = "--look", description = "only check the data again that a run with --keep has left in this folder")
    private @Nullable Path kept;

    @Override
    public Integer call() throws Exception {
        if (kept != null) {
            KeptData.Look look = KeptData.look(STATION, kept);
            System.out.println(look.history());
            look.faults().forEach(System.out::println);
            return look.faults().isEmpty() ? 0 : 1;
        }
        Plan plan = plan(rate, moving);
        Monkey.Havoc havoc = Monkey.runEach(plan, kinds(), each, seed(), pause, down);
        havoc.diary().forEach(System.out::println);
        Verdict verdict = havoc.verdict();
        row("seed", seed());
        row("routers move between collectors", moving ? "yes" : "no");
        row("failures", havoc.diary().size());
        row("processes killed", havoc.kills());
        new TreeMap<>(havoc.struck())
                .forEach((blow, count) ->
                        row(blow.name().toLowerCase(Locale.ROOT).replace('_', ' '), count));
        row("seconds of it", Math.round(havoc.seconds()));
        rows(verdict);
        return finish(plan, verdict.faults());
    }

    private Set<Monkey.Blow> kinds() {
        if (!kinds.isEmpty()) {
            return kinds;
        }
        Set<Monkey.Blow> possible = EnumSet.allOf(Monkey.Blow.class);
        possible.removeIf(kind -> !kind.isPossible());
        Set<Monkey.Blow> others = EnumSet.complementOf(EnumSet.copyOf(possible));
        if (!others.isEmpty()) {
            System.out.printf("Not possible here, see perf/README.md: %s%n", others);
        }
        return possible;
    }
}
