package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Twins;
import dev.silkroute.chaos.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills one of two collectors that all routers feed, at random moments, and compares what is stored with them. */
@Command(
        name = "twins",
        description = "kill -9 of one of two collectors that all routers feed: what is lost, what comes twice.")
public final class TwinsScenario extends FaultScenario {
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
        Plan plan = plan(rate);
        Twins.Outcome outcome = Twins.run(plan, seed(), kills, pause);
        outcome.diary().forEach(System.out::println);
        Verdict verdict = outcome.verdict();
        row("seed", seed());
        row("collectors killed", outcome.diary().size());
        row("seconds of it", Math.round(outcome.seconds()));
        rows(verdict);
        return finish(plan, verdict.faults());
    }
}
