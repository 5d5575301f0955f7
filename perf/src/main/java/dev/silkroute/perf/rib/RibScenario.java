package dev.silkroute.perf.rib;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The RIB in memory: against bart, rotonda-store and a plain Java RIB. */
@Command(
        name = "rib",
        description = "Routing tables in memory: ours, bart (Go), rotonda-store (Rust), a trie of objects in Java.")
public final class RibScenario extends Scenario {
    @Option(names = "--rounds", defaultValue = "7", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "1", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--seconds",
            defaultValue = "1.5",
            description =
                    "CPU seconds for a kind of lookup in a round; reads under writers have three times that: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--scale", defaultValue = "1", description = "Of all tables; less for a try: ${DEFAULT-VALUE}.")
    private double scale;

    @Option(
            names = "--parts",
            split = ",",
            defaultValue = "real,lookup,synthetic,churn,full",
            description = "What to measure: ${DEFAULT-VALUE}.")
    private Set<String> parts = Set.of();

    @Override
    public Integer call() throws Exception {
        Contenders contenders = new Contenders(HOME);
        Path folder = folder();
        Path file = folder.resolve("workload-" + scale + ".bin");
        if (!Files.exists(file)) {
            System.err.println("making the routes");
            Path made = folder.resolve("workload.part");
            Recipe.make(RealTable.read(contenders.bart()), scale, made);
            Files.move(made, file);
        }
        Map<String, String> expected = new Workload(file).expected();
        List<Line> lines = new ArrayList<>();
        List<Map<String, Object>> information = new ArrayList<>();
        String conditions =
                "load average " + Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
        try {
            contenders.start(file);
            measure(new RibMeasurements(contenders, expected, warmUp, rounds, seconds));
            RibLines comparison = new RibLines(contenders);
            lines.addAll(comparison.lines());
            information.addAll(RibFigures.information(contenders));
        } finally {
            contenders.close();
        }
        if (parts.contains("full")) {
            new FullTable(file, scale, folder).run(rounds, lines, information);
        }
        for (var missing : contenders.missing().entrySet()) {
            conditions += "; " + missing.getKey() + " not measured: " + missing.getValue();
        }
        if (scale != 1) {
            conditions += String.format(Locale.ROOT, "; A TRY: tables of %s of their size", scale);
        }
        publish(conditions, lines, information);
        return 0;
    }

    private void measure(RibMeasurements measurements) throws Exception {
        if (parts.contains("real")) {
            measurements.real();
        }
        if (parts.contains("lookup")) {
            measurements.lookups("real", List.of("real-cold4", "real-cold6", "real-hot4", "real-hot6", "uniform4"));
        }
        if (parts.contains("synthetic")) {
            measurements.synthetic();
            measurements.lookups("synthetic", List.of("synthetic-cold4", "synthetic-hot4"));
        }
        if (parts.contains("churn")) {
            measurements.churn();
        }
    }
}
