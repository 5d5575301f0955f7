package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Twins;
import dev.silkroute.chaos.Verdict;
import dev.silkroute.perf.report.Machine;
import dev.silkroute.perf.report.Result;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Kills one of two collectors that all routers feed, at random moments, and compares what is stored with them. */
@Command(
        name = "twins",
        mixinStandardHelpOptions = true,
        description = "kill -9 of one of two collectors that all routers feed: what is lost, what comes twice.")
public final class TwinsScenario implements Callable<Integer> {
    @Mixin
    private Routers routers = new Routers();

    @Option(names = "--kills", defaultValue = "10", description = "(${DEFAULT-VALUE})")
    private int kills;

    @Option(names = "--rate", defaultValue = "50", description = "changes a second of each router (${DEFAULT-VALUE})")
    private double rate;

    @Option(
            names = "--pause",
            defaultValue = "15000",
            description = "most milliseconds from the return of a collector to the next kill (${DEFAULT-VALUE})")
    private int pause;

    @Override
    public Integer call() throws Exception {
        Plan plan = routers.plan("twins", rate);
        System.out.printf("Seed %d. Logs: %s%n", routers.seed(), plan.logs());
        Twins.Outcome outcome = Twins.run(plan, routers.seed(), kills, pause);
        outcome.diary().forEach(System.out::println);
        Verdict verdict = outcome.verdict();
        List<Map<String, Object>> rows = new ArrayList<>();
        Report.row(rows, "seed", routers.seed());
        Report.row(rows, "collectors killed", outcome.diary().size());
        Report.row(rows, "seconds of it", Math.round(outcome.seconds()));
        Report.add(rows, verdict);
        Result result = new Result(
                "twins", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), Machine.describe(), List.of(), rows);
        result.write(Path.of(System.getProperty("perf.home", "perf"), "results"));
        System.out.println(result.markdown());
        verdict.faults().forEach(System.out::println);
        routers.clean(plan);
        return verdict.faults().isEmpty() ? 0 : 1;
    }
}
