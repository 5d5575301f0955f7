package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.KeptData;
import dev.silkroute.chaos.Monkey;
import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Verdict;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills processes of a station under load, at random moments, and compares what it holds with what its routers say. */
@Command(
        name = "chaos",
        description =
                "kill -9 of writers, collectors, Kafka and PostgreSQL, and failovers, under load: what is lost, what comes twice.")
public final class ChaosScenario extends FaultScenario {
    @Option(names = "--kills", defaultValue = "100", description = "(${DEFAULT-VALUE})")
    private int kills;

    @Option(names = "--rate", defaultValue = "300", description = "changes a second of each router (${DEFAULT-VALUE})")
    private double rate;

    @Option(
            names = "--pause",
            defaultValue = "8000",
            description = "most milliseconds between blows (${DEFAULT-VALUE})")
    private int pause;

    @Option(
            names = "--down",
            defaultValue = "5000",
            description = "most milliseconds until a return (${DEFAULT-VALUE})")
    private int down;

    @Option(names = "--look", description = "only look once more at what a run with --keep has left in this folder")
    private @Nullable Path kept;

    @Override
    public Integer call() throws Exception {
        if (kept != null) {
            KeptData.Look look = KeptData.look(STATION, kept);
            System.out.println(look.history());
            look.faults().forEach(System.out::println);
            return look.faults().isEmpty() ? 0 : 1;
        }
        Plan plan = plan(rate);
        Monkey.Havoc havoc = Monkey.run(plan, seed(), kills, pause, down);
        havoc.diary().forEach(System.out::println);
        Verdict verdict = havoc.verdict();
        row("seed", seed());
        row("processes killed", havoc.kills());
        new TreeMap<>(havoc.struck())
                .forEach((blow, count) ->
                        row(blow.name().toLowerCase(Locale.ROOT).replace('_', ' '), count));
        row("seconds of it", Math.round(havoc.seconds()));
        rows(verdict);
        return finish(plan, verdict.faults());
    }
}
