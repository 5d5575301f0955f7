package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.Plan;
import dev.silkroute.chaos.Rolling;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Restarts each process of a station in turn under load, and compares what is stored with its routers' tables. */
@Command(
        name = "rolling",
        description = "SIGTERM and restart of each process in turn, under load: what is lost, what comes twice, and"
                + " whether each process serves whenever it is ready.")
public final class RollingScenario extends FaultScenario {
    @Option(names = "--rounds", defaultValue = "5", description = "restarts of each process (${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--rate", defaultValue = "200", description = "changes a second of each router (${DEFAULT-VALUE})")
    private double rate;

    @Option(
            names = "--pause",
            defaultValue = "5000",
            description = "milliseconds from a restart to the next one (${DEFAULT-VALUE})")
    private int pause;

    @Override
    public Integer call() throws Exception {
        Plan plan = plan(rate, true);
        Rolling.Outcome outcome = Rolling.run(plan, rounds, pause);
        row("seed", seed());
        row("restarts of each process", rounds);
        outcome.longest()
                .forEach((name, seconds) -> row("seconds from SIGTERM until all are ready, at most: " + name, seconds));
        row("probes of readiness", outcome.probes());
        row("of them positive, each followed by a use", outcome.positive());
        rows(outcome.verdict());
        row("all faults", outcome.faults().isEmpty() ? "none" : String.join("; ", outcome.faults()));
        return finish(plan, outcome.faults());
    }
}
