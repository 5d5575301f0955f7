package dev.silkroute.perf.startup;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./silkroute run} from a built tree: with an empty data directory, and with one that it has used before. */
@Command(
        name = "startup",
        description = "./silkroute run from a built tree to ready, embedded Kafka and PostgreSQL included.")
public final class StartupScenario extends Scenario {
    private static final double MUST = 15;
    private static final double AIM = 8;
    private static final String CHECKED =
            "/q/health/ready answers that all is up, and the station ends with exit code 0";

    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        List<Start> empty = new ArrayList<>();
        List<Start> used = new ArrayList<>();
        Path folder = folder();
        // The first start reads files that are not in the page cache yet
        for (int round = -1; round < rounds; round++) {
            Path data = Files.createTempDirectory(folder, "data");
            Start first = start(data, round, "empty data directory");
            Start second = start(data, round, "used data directory");
            Folders.delete(data);
            if (round >= 0) {
                empty.add(first);
                used.add(second);
            }
        }
        publish(
                List.of(line("to ready, empty data directory", empty), line("to ready, used data directory", used)),
                List.of(row("empty data directory", empty), row("used data directory", used)));
        return 0;
    }

    private static Start start(Path data, int round, String which) throws IOException, InterruptedException {
        Start start = Start.measure(data);
        System.err.printf(Locale.ROOT, "round %d, %s: %.1f s%n", round, which, start.ready());
        return start;
    }

    private static double[] values(List<Start> of, ToDoubleFunction<Start> value) {
        return of.stream().mapToDouble(value).toArray();
    }

    private static Line line(String measure, List<Start> of) {
        return Line.lower(measure, "a second", "s", values(of, Start::ready), MUST, AIM, CHECKED);
    }

    private static Map<String, Object> row(String measure, List<Start> of) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("start", measure);
        row.put("ready, s", median(values(of, Start::ready)));
        row.put("the station's JVM, CPU s", median(values(of, Start::cpu)));
        row.put("SIGTERM to the end, s", median(values(of, Start::stop)));
        return row;
    }

    private static String median(double[] values) {
        return String.format(Locale.ROOT, "%.1f", Line.median(values));
    }
}
