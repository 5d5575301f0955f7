package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A table of twenty million routes in one session: time until the RIB and the database have it, memory and disk, and
 * the same table in a new session.
 */
@Command(
        name = "large-table",
        description = "15,000,000 IPv4 and 5,000,000 IPv6 routes in one BMP session: until the RIB has them, until they"
                + " are durable, memory for each route, and the same table in a new session. Counts what is lost.")
public final class LargeTableScenario extends Scenario {
    private static final String TABLE = "table into an empty station";
    private static final String AGAIN = "the same table in a new session";
    private static final double LIMIT_SECONDS = 600;
    private static final double AIM_OF_LIMIT = 0.5;
    private static final double AIM_RIB_BYTES = 60;
    private static final double MIB = 1 << 20;

    @Option(names = "--ipv4", defaultValue = "15000000", description = "IPv4 routes: ${DEFAULT-VALUE}.")
    private int ipv4;

    @Option(names = "--ipv6", defaultValue = "5000000", description = "IPv6 routes: ${DEFAULT-VALUE}.")
    private int ipv6;

    @Option(
            names = "--sample",
            defaultValue = "1000",
            description = "Routes whose attributes are compared: ${DEFAULT-VALUE}.")
    private int sample;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the sample: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--limit", defaultValue = "30", description = "Minutes that a table may take: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    @Override
    public Integer call() throws Exception {
        LargeTable table = new LargeTable(ipv4, ipv6);
        Path folder = emptyFolder();
        Path data = folder.resolve("data");
        LargeDump first;
        LargeDump again;
        int matches;
        try (RunningStation station = RunningStation.start(data, table.settings())) {
            LargeDumps dumps = new LargeDumps(station, data, table, limitMinutes);
            first = dumps.first(TABLE);
            matches = new RouteSample(station, table).matches(sample, seed);
            again = dumps.again(AGAIN);
        }
        Folders.delete(folder);
        return report(table, first, matches, again);
    }

    private int report(LargeTable table, LargeDump first, int matches, LargeDump again) throws IOException {
        String checked =
                "the numbers of announcements that silkroute load reports as sent, of routes in the RIB, and of rows in"
                        + " bmp.rib_route and bmp.route_event, after each session; and each attribute of "
                        + number(sample) + " random routes in the RIB";
        long added = again.stored().history() - first.stored().history();
        List<Line> lines = List.of(
                seconds(TABLE + ", until the RIB has all routes", first.phase().ribSeconds(), checked),
                Line.lower(
                        TABLE + ", until the current state and the history are durable",
                        "600 seconds",
                        "seconds",
                        new double[] {first.phase().rowSeconds() / LIMIT_SECONDS},
                        1.0,
                        AIM_OF_LIMIT,
                        checked),
                bytes(
                        "memory of the RIB for each route",
                        first.ribBytesPerRoute(),
                        (double) LargeTable.MAX_RIB_BYTES_PER_ROUTE,
                        AIM_RIB_BYTES,
                        checked),
                share("routes in the RIB", first.stored().rib(), first.sent(), checked),
                share("routes in the current state", first.stored().current(), first.sent(), checked),
                share("events in the history", first.stored().history(), first.sent(), checked),
                Line.higher(
                        "routes in the RIB with all attributes as sent",
                        "routes of the sample",
                        "share",
                        new double[] {share(matches, sample)},
                        1.0,
                        1.0,
                        checked),
                bytes("log of PostgreSQL for each route", first.walBytesPerRoute(), null, null, checked),
                seconds(AGAIN + ", until the RIB has all routes", again.phase().ribSeconds(), checked),
                seconds(AGAIN + ", until no route is stale", again.goalSeconds(), checked),
                none(AGAIN + ", routes that are stale then", "a route", again.stale(), checked),
                none(AGAIN + ", events added to the history", "an event", added, checked),
                share(AGAIN + ", routes in the RIB", again.stored().rib(), again.sent(), checked),
                share(AGAIN + ", routes in the current state", again.stored().current(), again.sent(), checked),
                bytes(AGAIN + ", log of PostgreSQL for each route", again.walBytesPerRoute(), null, null, checked));
        publish(
                "%s IPv4 and %s IPv6 routes of one peer; a heap of %d GiB, otherwise the settings of ./silkroute run"
                        .formatted(number(table.ipv4()), number(table.ipv6()), table.heapGib()),
                lines,
                Stream.of(first, again).map(LargeTableScenario::row).toList());
        boolean isComplete = first.sent() == table.routes()
                && again.sent() == table.routes()
                && isStored(first)
                && isStored(again)
                && matches == sample
                && again.stale() == 0;
        return isComplete ? 0 : 1;
    }

    /** Returns whether the station has each route that was sent, and has had it once. */
    private static boolean isStored(LargeDump dump) {
        return dump.stored().equals(new Stored(dump.sent(), dump.sent(), dump.sent()));
    }

    private static Line seconds(String measure, double seconds, String checked) {
        return Line.lower(measure, "a second", "s", new double[] {seconds}, checked);
    }

    private static Line bytes(
            String measure, double bytes, @Nullable Double must, @Nullable Double aim, String checked) {
        return Line.lower(measure, "a byte", "B", new double[] {bytes}, must, aim, checked);
    }

    private static Line share(String measure, long part, long all, String checked) {
        return Line.higher(measure, "routes sent", "routes", new double[] {share(part, all)}, 1.0, 1.0, checked);
    }

    /** Returns a share that is 1 only if both are equal: it is rounded down to hundredths, as results show it. */
    private static double share(long part, long all) {
        return Math.floor(100.0 * Math.min(part, all) / Math.max(part, all)) / 100;
    }

    private static Line none(String measure, String baseline, long number, String checked) {
        return Line.lower(measure, baseline, "number", new double[] {number}, 0.0, 0.0, checked);
    }

    private static Map<String, Object> row(LargeDump dump) {
        Phase phase = dump.phase();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("session", phase.name());
        row.put("routes sent", number(dump.sent()));
        row.put("routes/s in the RIB", whole(phase.events() / phase.ribSeconds()));
        row.put("routes/s durable in both tables", whole(phase.events() / phase.rowSeconds()));
        row.put("seconds until durable", whole(phase.rowSeconds()));
        row.put("station, CPU s", whole(phase.cpu().station()));
        row.put("Kafka, CPU s", whole(phase.cpu().kafka()));
        row.put("PostgreSQL, CPU s", whole(phase.cpu().postgres()));
        row.put("RIB, MiB", whole(dump.ribBytes() / MIB));
        row.put("attribute sets in the RIB", number(dump.attributeSets()));
        row.put("station, resident MiB at most", whole(dump.peakMib()));
        row.put("Kafka on disk, MiB", whole(dump.sample().kafkaDisk()));
        row.put("PostgreSQL on disk, MiB", whole(dump.sample().postgresDisk()));
        row.put("database, MiB", whole(dump.sample().database()));
        row.put("log of PostgreSQL, MiB", whole(dump.walBytes() / MIB));
        return row;
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
