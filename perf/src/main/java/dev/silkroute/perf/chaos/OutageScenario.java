package dev.silkroute.perf.chaos;

import dev.silkroute.chaos.Outage;
import dev.silkroute.chaos.Plan;
import dev.silkroute.perf.report.Machine;
import dev.silkroute.perf.report.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Takes Kafka and PostgreSQL away for a while under load, and compares what the station holds with what its routers
 * say.
 */
@Command(
        name = "outage",
        mixinStandardHelpOptions = true,
        description = "Kafka and PostgreSQL away for a minute while routers send: what is lost, what comes twice.")
public final class OutageScenario implements Callable<Integer> {
    @Mixin
    private Routers routers = new Routers();

    @Option(names = "--seconds", defaultValue = "60", description = "of each outage (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description = "changes a second of each router (${DEFAULT-VALUE}: as many as go)")
    private double rate;

    @Option(
            names = "--changes",
            defaultValue = "900000",
            description =
                    "of each router in each outage at most, which bounds what is to be written afterwards (${DEFAULT-VALUE})")
    private long changes;

    @Option(
            names = "--kinds",
            split = ",",
            defaultValue = "KAFKA_STOPPED,POSTGRES_STOPPED",
            description = "of ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private List<Outage.Kind> kinds = List.of();

    @Override
    public Integer call() throws Exception {
        long begun = System.nanoTime();
        Plan plan = routers.plan("outage", rate);
        System.out.printf("Seed %d. Logs: %s%n", routers.seed(), plan.logs());
        Outage.Outcome outcome = Outage.run(plan, kinds, Duration.ofSeconds(seconds), changes);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Outage.Past past : outcome.outages()) {
            String kind = past.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            Report.row(rows, kind + ", seconds", past.seconds());
            Report.row(rows, kind + ", of them with routers that send as much as is taken", past.sending());
            Report.row(rows, kind + ", changes that routers made in that time", past.changes());
            Report.row(
                    rows,
                    kind + ", MiB held by the collector at most",
                    past.heldMib() + " (bound: " + outcome.heldBoundMib() + ")");
        }
        Report.row(
                rows,
                "BMP sessions that ended",
                outcome.verdict().sessions() - plan.load().routers());
        Report.add(rows, outcome.verdict());
        Report.row(rows, "all faults", outcome.faults().isEmpty() ? "none" : String.join("; ", outcome.faults()));
        Report.row(rows, "minutes in all", Math.round((System.nanoTime() - begun) / 6e9) / 10.0);
        Result result = new Result(
                "outage", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), Machine.describe(), List.of(), rows);
        result.write(Path.of(System.getProperty("perf.home", "perf"), "results"));
        System.out.println(result.markdown());
        outcome.faults().forEach(System.out::println);
        routers.clean(plan);
        return outcome.faults().isEmpty() ? 0 : 1;
    }
}
