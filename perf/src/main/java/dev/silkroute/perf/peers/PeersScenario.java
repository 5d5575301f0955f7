package dev.silkroute.perf.peers;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.perf.station.CpuTimes;
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

/** The same BMP session to the station and to the collectors of other projects, one after the other. */
@Command(
        name = "peers",
        description =
                "CPU time, seconds and memory for the same table dump: the station, pmbmpd (Debian: pmacct), gobmp (Go)"
                        + " and GoBGP's packet/bmp (Go). They store different things.")
public final class PeersScenario extends Scenario {
    @Option(names = "--routes", defaultValue = "1000000", description = "Routes of the router: ${DEFAULT-VALUE}.")
    private int routes;

    @Option(names = "--peers", defaultValue = "2", description = "Peers that share them: ${DEFAULT-VALUE}.")
    private int peers;

    @Option(names = "--rounds", defaultValue = "3", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--limit", defaultValue = "15", description = "Minutes that a run may take: ${DEFAULT-VALUE}.")
    private long limitMinutes;

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        RouterSession session = RouterSession.write(folder.resolve("session.bmp"), routes, peers);
        Contenders contenders = new Contenders(HOME);
        try (SendingRouter router = SendingRouter.start(session)) {
            measure(contenders.all(), router, folder.resolve("run"));
        }
        report(contenders, session);
        Folders.delete(folder);
        return 0;
    }

    /** Rounds A B C, B C A, C A B …, each run with new processes and an empty folder. */
    private void measure(List<Contender> contenders, SendingRouter router, Path folder)
            throws IOException, InterruptedException {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < contenders.size(); i++) {
                Contender contender = contenders.get((round + i) % contenders.size());
                Files.createDirectories(folder);
                Contender.Run run = contender.measure(router, folder, limitMinutes);
                System.err.printf(
                        Locale.ROOT,
                        "round %d, %-28s %9.0f routes/CPU s, %6.1f s, %6d MiB, %d routes%n",
                        round,
                        contender.name(),
                        run.perCpuSecond(),
                        run.consumed().seconds(),
                        run.peakMib(),
                        run.routes());
                Folders.delete(folder);
            }
        }
    }

    private void report(Contenders contenders, RouterSession session) throws IOException {
        StringBuilder conditions = new StringBuilder("%,d routes of %d peers in %,d messages, %.0f MB"
                .formatted(session.routes(), peers, session.messages(), session.bytes() / 1e6));
        contenders.missing().forEach((name, why) -> conditions.append("; %s not measured: %s".formatted(name, why)));
        List<Line> lines = new ArrayList<>();
        for (Contender station : contenders.stations()) {
            require(station, session);
            for (Contender other : contenders.others()) {
                // Without the same number of routes the work was not the same. The table has both numbers
                if (other.reports(session.routes())) {
                    lines.add(Line.higher(
                            "routes per CPU second, " + station.name(),
                            other.name(),
                            "routes/CPU s",
                            station.over(other),
                            null,
                            null,
                            "both sides have received the same bytes and report as many routes as were sent; they"
                                    + " store different things, see the table"));
                }
            }
        }
        publish(
                conditions.toString(),
                lines,
                contenders.all().stream().map(PeersScenario::row).toList());
    }

    private static void require(Contender station, RouterSession session) throws IOException {
        if (!station.reports(session.routes())) {
            throw new IOException(
                    station.name() + " does not report the " + session.routes() + " routes that were sent");
        }
    }

    private static Map<String, Object> row(Contender contender) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("collector", contender.name());
        row.put("stores", contender.stores());
        row.put("routes/CPU s", Math.round(contender.median(Contender.Run::perCpuSecond)));
        row.put("CPU s", cpu(contender, CpuTimes::total));
        row.put("of them the collector", cpu(contender, CpuTimes::station));
        row.put("Kafka", cpu(contender, CpuTimes::kafka));
        row.put("PostgreSQL", cpu(contender, CpuTimes::postgres));
        row.put("seconds", decimal(contender.median(run -> run.consumed().seconds())));
        row.put("peak resident MiB", Math.round(contender.median(Contender.Run::peakMib)));
        row.put("routes reported", Math.round(contender.median(Contender.Run::routes)));
        return row;
    }

    private static String cpu(Contender contender, ToDoubleFunction<CpuTimes> part) {
        return decimal(contender.median(run -> part.applyAsDouble(run.consumed().cpu())));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
