package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.Outage;
import dev.silkroute.chaos.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Stops Kafka and PostgreSQL for a while under load, and compares what the station stores with what its routers have
 * sent.
 */
@Command(
        name = "outage",
        description = "Stops Kafka and PostgreSQL for a minute under load; counts events lost or stored twice.")
public final class OutageScenario extends FaultScenario {
    @Option(names = "--seconds", defaultValue = "60", description = "duration of each outage (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description = "changes per second of each router (${DEFAULT-VALUE}: as many as possible)")
    private double rate;

    @Option(
            names = "--changes",
            defaultValue = "900000",
            description =
                    "maximum changes of each router in each outage, which bounds the lag afterwards (${DEFAULT-VALUE})")
    private long changes;

    @Option(
            names = "--kinds",
            split = ",",
            defaultValue = "KAFKA_STOPPED,POSTGRES_STOPPED",
            description = "kinds of outages, from ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private List<Outage.Kind> kinds = List.of();

    @Override
    public Integer call() throws Exception {
        long begun = System.nanoTime();
        Plan plan = plan(rate);
        Outage.Outcome outcome = Outage.run(plan, kinds, Duration.ofSeconds(seconds), changes);
        for (Outage.Past past : outcome.outages()) {
            String kind = past.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            row(kind + ", seconds", past.seconds());
            row(kind + ", of them with routers that send as much as is taken", past.sending());
            row(kind + ", changes that routers made in that time", past.changes());
            row(
                    kind + ", MiB held by the collector at most",
                    past.heldMib() + " (bound: " + outcome.heldBoundMib() + ")");
        }
        row(
                "BMP sessions that ended",
                outcome.verdict().sessions() - plan.load().routers());
        rows(outcome.verdict());
        row("all faults", outcome.faults().isEmpty() ? "none" : String.join("; ", outcome.faults()));
        row("minutes in all", Math.round((System.nanoTime() - begun) / 6e9) / 10.0);
        return finish(plan, outcome.faults());
    }
}
