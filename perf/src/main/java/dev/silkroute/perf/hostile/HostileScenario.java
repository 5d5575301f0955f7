package dev.silkroute.perf.hostile;

import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One flood after the other against a station, while another router sends a little and expects it to be stored. */
@Command(
        name = "hostile",
        description =
                "Valid input that is meant to exhaust a station: does another router's input still arrive, and when?")
public final class HostileScenario extends Scenario {
    private static final double WORST_RATIO = 3;
    /** A single short time without a flood has too few values for a percentile. */
    private static final int QUIET_TIMES = 3;

    @Option(
            names = "--seconds",
            defaultValue = "15",
            description = "of sending each flood, which lasts until all of it is stored (${DEFAULT-VALUE})")
    private long seconds;

    @Option(
            names = "--limit",
            defaultValue = "300",
            description = "seconds after a flood until everything must have arrived (${DEFAULT-VALUE})")
    private long limit;

    @Option(
            names = "--quiet-seconds",
            defaultValue = "10",
            description = "before each flood, whose figures are compared with this time and the two before"
                    + " (${DEFAULT-VALUE})")
    private long quietSeconds;

    @Option(names = "--connections", defaultValue = "16", description = "of each flood (${DEFAULT-VALUE})")
    private int connections;

    @Option(
            names = "--one-address",
            description = "the floods come from the address of the good router, as behind address translation")
    private boolean fromOneAddress;

    @Option(names = "--rate", defaultValue = "20", description = "of the good router, per second (${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--only", split = ",", description = "kinds: ${COMPLETION-CANDIDATES}; all if not given")
    private List<Flood> only = List.of();

    @Override
    public Integer call() throws Exception {
        FloodCheck.check().forEach(System.err::println);
        Path data = Files.createTempDirectory(folder(), "data");
        List<Map<String, Object>> rows = new ArrayList<>();
        boolean passed = true;
        try (RunningStation station = RunningStation.start(data, Map.of());
                GoodRouter good = GoodRouter.connect(station.bmpPort(), station.jdbcUrl(), rate)) {
            good.run(quietSeconds, limit); // warms up
            Deque<Map<GoodRouter.Lane, double[]>> quiet = new ArrayDeque<>();
            while (quiet.size() < QUIET_TIMES) {
                quiet.add(good.run(quietSeconds, limit));
            }
            for (Flood flood : only.isEmpty() ? EnumSet.allOf(Flood.class) : EnumSet.copyOf(only)) {
                quiet.add(good.run(quietSeconds, limit));
                quiet.remove();
                passed &= attack(
                        flood,
                        station,
                        good,
                        quiet.stream().reduce(HostileScenario::merged).orElseThrow(),
                        rows);
                if (!station.isUp()) {
                    break;
                }
            }
        }
        publish(fromOneAddress ? "all from one address" : "", List.of(), rows);
        return passed ? 0 : 1;
    }

    private boolean attack(
            Flood flood,
            RunningStation station,
            GoodRouter good,
            Map<GoodRouter.Lane, double[]> quiet,
            List<Map<String, Object>> rows)
            throws IOException, SQLException, InterruptedException {
        Attack attack = Attack.begin(flood, station.bmpPort(), flood.connections(connections), fromOneAddress);
        Map<GoodRouter.Lane, double[]> under;
        try {
            under = good.run(seconds, 0);
        } finally {
            attack.close();
        }
        // The kernel still holds megabytes of each connection: until they are stored, the flood continues
        long end = System.nanoTime();
        while (good.isConnected("hostile-") && System.nanoTime() - end < TimeUnit.SECONDS.toNanos(limit)) {
            under = merged(under, good.run(1, 0));
        }
        long ended = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - end);
        Map<GoodRouter.Lane, double[]> all = merged(under, good.run(0, limit));
        Map<String, Object> row = row(flood.text(), attack, ended, station, good, all, quiet);
        System.err.println(row);
        rows.add(row);
        return station.isUp()
                && good.isComplete()
                && Arrays.stream(GoodRouter.Lane.values()).allMatch(lane -> ratio(all, quiet, lane) <= WORST_RATIO);
    }

    private static Map<GoodRouter.Lane, double[]> merged(
            Map<GoodRouter.Lane, double[]> one, Map<GoodRouter.Lane, double[]> other) {
        Map<GoodRouter.Lane, double[]> all = new EnumMap<>(GoodRouter.Lane.class);
        for (GoodRouter.Lane lane : GoodRouter.Lane.values()) {
            all.put(lane, merged(one.getOrDefault(lane, new double[0]), other.getOrDefault(lane, new double[0])));
        }
        return all;
    }

    private static double[] merged(double[] a, double[] b) {
        double[] all = new double[a.length + b.length];
        System.arraycopy(a, 0, all, 0, a.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        Arrays.sort(all);
        return all;
    }

    private static double p99(double[] sorted) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(sorted.length * 0.99) - 1];
    }

    /** Rounded to tenths. */
    private static double ratio(
            Map<GoodRouter.Lane, double[]> under, Map<GoodRouter.Lane, double[]> quiet, GoodRouter.Lane lane) {
        double ratio = p99(under.getOrDefault(lane, new double[0])) / p99(quiet.getOrDefault(lane, new double[0]));
        return Math.round(10 * ratio) / 10.0;
    }

    private static Map<String, Object> row(
            String flood,
            Attack attack,
            long ended,
            RunningStation station,
            GoodRouter good,
            Map<GoodRouter.Lane, double[]> under,
            Map<GoodRouter.Lane, double[]> quiet)
            throws IOException {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("flood", flood);
        row.put("sent, MiB", attack.sent() >> 20);
        row.put("connections", attack.connected());
        for (GoodRouter.Lane lane : GoodRouter.Lane.values()) {
            double[] all = under.getOrDefault(lane, new double[0]);
            row.put(lane.name().toLowerCase(Locale.ROOT) + " p99, s", String.format(Locale.ROOT, "%.2f", p99(all)));
            row.put("times quiet (" + lane.name().toLowerCase(Locale.ROOT) + ")", ratio(under, quiet, lane));
        }
        row.put("missing", good.missing());
        row.put("all ended after, s", ended);
        row.put("station", station.isUp() ? station.residentMib() + " MiB" : "down");
        return row;
    }
}
