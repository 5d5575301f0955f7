package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.KeptData;
import dev.silkroute.chaos.Monkey;
import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Verdict;
import dev.silkroute.perf.report.Machine;
import dev.silkroute.perf.report.Result;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Kills processes of a station under load, at random moments, and compares what it holds with what its routers say. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = "kill -9 of writers, collectors, Kafka and PostgreSQL, and failovers, under load: what is lost, what comes twice.")
public final class ChaosScenario implements Callable<Integer> {
    @Mixin
    private Routers routers = new Routers();

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
            KeptData.Look look = KeptData.look(Routers.home(), kept);
            System.out.println(look.history());
            look.faults().forEach(System.out::println);
            return look.faults().isEmpty() ? 0 : 1;
        }
        Plan plan = routers.plan("chaos", rate);
        System.out.printf("Seed %d. Logs: %s%n", routers.seed(), plan.logs());
        Monkey.Havoc havoc = Monkey.run(plan, routers.seed(), kills, pause, down);
        havoc.diary().forEach(System.out::println);
        Verdict verdict = havoc.verdict();
        List<Map<String, Object>> rows = new ArrayList<>();
        Report.row(rows, "seed", routers.seed());
        Report.row(rows, "processes killed", havoc.kills());
        new TreeMap<>(havoc.struck())
                .forEach((blow, count) ->
                        Report.row(rows, blow.name().toLowerCase(Locale.ROOT).replace('_', ' '), count));
        Report.row(rows, "seconds of it", Math.round(havoc.seconds()));
        Report.add(rows, verdict);
        Result result = new Result(
                "chaos", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), Machine.describe(), List.of(), rows);
        result.write(Path.of(System.getProperty("perf.home", "perf"), "results"));
        System.out.println(result.markdown());
        verdict.faults().forEach(System.out::println);
        routers.clean(plan);
        return verdict.faults().isEmpty() ? 0 : 1;
    }
}
