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
    private static final double MUST_READY_EMPTY = 15;
    private static final double AIM_READY_EMPTY = 8;
    private static final double MUST_READY = 8;
    private static final double AIM_READY = 4;
    private static final double MUST_COMMAND = 1;
    private static final double AIM_COMMAND = 0.4;
    private static final double MUST_IDLE = 0.05;
    private static final double AIM_IDLE = 0.01;
    private static final String CHECKED =
            "/q/health/ready answers that all is up, and the station ends with exit code 0";

    @Option(names = "--rounds", defaultValue = "7", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--idle-seconds",
            defaultValue = "30",
            description = "Seconds for which an idle station is measured in each round: ${DEFAULT-VALUE}.")
    private int idleSeconds;

    @Option(
            names = "--warm-up-seconds",
            defaultValue = "60",
            description = "Seconds after the start before that, in which the JVMs compile what the start and"
                    + " the commands ran: ${DEFAULT-VALUE}.")
    private int warmUpSeconds;

    @Override
    public Integer call() throws Exception {
        List<Start> empty = new ArrayList<>();
        List<Start> used = new ArrayList<>();
        Path folder = folder();
        // The first start reads files that are not in the page cache yet
        for (int round = -1; round < rounds; round++) {
            Path data = Files.createTempDirectory(folder, "data");
            Start first = start(data, 0, 0, round, "empty data directory");
            Start second = start(data, warmUpSeconds, idleSeconds, round, "used data directory");
            Folders.delete(data);
            if (round >= 0) {
                empty.add(first);
                used.add(second);
            }
        }
        List<Line> lines = new ArrayList<>();
        lines.add(ready("empty data directory", empty, MUST_READY_EMPTY, AIM_READY_EMPTY));
        lines.add(ready("used data directory", used, MUST_READY, AIM_READY));
        for (Start.Command command : Start.Command.values()) {
            lines.add(Line.lower(
                    "./silkroute " + command + ", a running station",
                    "a second",
                    "s",
                    values(used, start -> start.seconds(command)),
                    MUST_COMMAND,
                    AIM_COMMAND,
                    "its output contains what was asked, and it ends with exit code 0"));
        }
        lines.add(Line.lower(
                "CPU of an idle station, its Kafka and its PostgreSQL",
                "a core",
                "CPU seconds per second",
                values(used, Start::idle),
                MUST_IDLE,
                AIM_IDLE,
                "nothing connects to it for %d seconds, of which the last %d are measured"
                        .formatted(warmUpSeconds + idleSeconds, idleSeconds)));
        publish(lines, List.of(row("empty data directory", empty), row("used data directory", used)));
        return 0;
    }

    private static Line ready(String which, List<Start> starts, double must, double aim) {
        return Line.lower("to ready, " + which, "a second", "s", values(starts, Start::ready), must, aim, CHECKED);
    }

    private static Start start(Path data, int warmUpSeconds, int idleSeconds, int round, String which)
            throws IOException, InterruptedException {
        Start start = Start.measure(data, warmUpSeconds, idleSeconds);
        System.err.printf(Locale.ROOT, "round %d, %s: %.1f s%n", round, which, start.ready());
        return start;
    }

    private static double[] values(List<Start> of, ToDoubleFunction<Start> value) {
        return of.stream().mapToDouble(value).toArray();
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
