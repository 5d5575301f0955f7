package dev.silkroute.perf.forget;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Messages to a TCP peer, delivered per second: netty-ff, camel-netty as it is, and what there is without Camel. */
@Command(
        name = "fire-and-forget",
        description = "Messages over TCP: netty-ff, stock camel-netty, Netty and a socket without Camel.")
public final class FireAndForgetScenario extends Scenario {
    private static final String DELIVERED = "delivered messages/s";
    private static final String CHECKED =
            "in every run the sink got as many bytes as exchanges succeeded, and before the"
                    + " runs each contender's numbered messages arrived whole, in order, over one connection; the no-op sends nothing";
    private static final String ACCOUNTED = "written + failed + dropped = accepted = exchanges that succeeded, in every"
            + " round; with the stalled sink pending bytes within the bound and in the end every message at the sink";

    @Option(names = "--rounds", defaultValue = "11", description = "Measured rounds of each: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "6", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--millis", defaultValue = "1000", description = "Sending time of each run: ${DEFAULT-VALUE}.")
    private long millis;

    @Option(names = "--size", defaultValue = "60", description = "Bytes of a message: ${DEFAULT-VALUE}.")
    private int size;

    @Override
    public Integer call() throws Exception {
        List<Contender> all = new ArrayList<>();
        try {
            for (SendVariant way : SendVariant.values()) {
                all.add(new Contender(way, size));
            }
            for (Contender contender : all) {
                contender.awaitReady();
            }
            List<double[]> accounts = measure(all);
            report(all, lines(all, accounts));
        } finally {
            all.forEach(Contender::close);
        }
        return 0;
    }

    private static List<Line> lines(List<Contender> all, List<double[]> accounts) {
        Contender ff = all.get(SendVariant.NETTY_FF.ordinal());
        Contender ff64 = all.get(SendVariant.NETTY_FF_64.ordinal());
        Contender single = all.get(SendVariant.STOCK_SINGLE.ordinal());
        Contender async = all.get(SendVariant.STOCK_ASYNC.ordinal());
        return List.of(
                line(ff, single, true, 6.0, 11.0),
                line(ff, async, false, 1.3, 2.0),
                line(ff, all.get(SendVariant.CAMEL_NO_OP.ordinal()), false, 0.6, 0.85),
                line(ff64, all.get(SendVariant.NETTY_64K.ordinal()), false, 0.6, 0.8),
                exact("after the peer closed", accounts, 0),
                exact("after a stop before a stalled sink", accounts, 1),
                exact("with a sink stalled for a while", accounts, 2),
                line(ff, all.get(SendVariant.STOCK_POOL.ordinal()), true, null, null),
                line(ff, all.get(SendVariant.NETTY_EACH.ordinal()), false, null, null),
                line(ff64, all.get(SendVariant.SOCKET_64K.ordinal()), false, null, null),
                line(ff64, all.get(SendVariant.STOCK_SINGLE_64.ordinal()), false, null, null),
                cpu(ff, single),
                cpu(ff, async));
    }

    private static Line cpu(Contender measured, Contender baseline) {
        return Line.lower(
                measured.way().what,
                baseline.way().what,
                "CPU µs/message",
                measured.over(baseline, Run::cpuMicros),
                CHECKED);
    }

    /** Rounds A B C, B C A, C A B …: what else the machine does meets all alike. The accounts of each round. */
    private List<double[]> measure(List<Contender> all) throws Exception {
        List<double[]> accounts = new ArrayList<>();
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < all.size(); i++) {
                Contender contender = all.get(Math.floorMod(round + i, all.size()));
                Run run = contender.run(millis);
                System.err.printf(
                        "round %d, %-16s %,12.0f delivered/s, %,12.0f offered/s, CPU %.3f µs%n",
                        round, contender.way(), run.delivered(), run.offered(), run.cpuMicros());
                if (round >= 0) {
                    contender.add(run);
                }
            }
            if (round >= 0) {
                accounts.add(new double[] {
                    AccountingCheck.afterPeerClose(), AccountingCheck.afterStop(), AccountingCheck.withStalledSink()
                });
            }
        }
        return accounts;
    }

    private static Line line(
            Contender measured, Contender baseline, boolean best, @Nullable Double must, @Nullable Double aim) {
        double[] ratios = best ? measured.overBestOf(baseline) : measured.over(baseline, Run::delivered);
        return Line.higher(
                measured.way().what,
                baseline.way().what + (best ? ", its best run" : ""),
                DELIVERED,
                ratios,
                must,
                aim,
                CHECKED);
    }

    /** Exact is 1 in every round: the worst of them has to show. */
    private static Line exact(String when, List<double[]> accounts, int column) {
        double[] shares = accounts.stream().mapToDouble(each -> each[column]).toArray();
        for (double share : shares) {
            if (share != 1) {
                throw new IllegalStateException("netty-ff accounts for " + share + " of its messages " + when);
            }
        }
        return Line.higher("netty-ff: accounted for " + when, "accepted", "messages", shares, 1.0, 1.0, ACCOUNTED);
    }

    private void report(List<Contender> all, List<Line> lines) throws Exception {
        List<Map<String, Object>> information =
                all.stream().map(FireAndForgetScenario::row).toList();
        publish("messages of " + size + " bytes", lines, information);
        List<BarChart.Bar> bars = all.stream()
                .map(each -> new BarChart.Bar(
                        each.way().what,
                        each.way().name().startsWith("NETTY_FF")
                                ? 0
                                : each.way().name().startsWith("STOCK") ? 1 : 2,
                        each.median(Run::delivered),
                        each.worst(Run::delivered),
                        each.best(Run::delivered)))
                .toList();
        Files.writeString(
                RESULTS.resolve("fire-and-forget.svg"),
                BarChart.svg(
                        "Messages of " + size + " bytes over one TCP connection",
                        "delivered per second: median, least and most of " + rounds + " runs",
                        bars));
    }

    private static Map<String, Object> row(Contender contender) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("contender", contender.way().what);
        row.put("delivered/s", Math.round(contender.median(Run::delivered)));
        row.put("least", Math.round(contender.worst(Run::delivered)));
        row.put("most", Math.round(contender.best(Run::delivered)));
        row.put("offered/delivered", Math.round(contender.median(r -> r.offered() / r.delivered()) * 100) / 100.0);
        row.put("CPU µs/message", Math.round(contender.median(Run::cpuMicros) * 1000) / 1000.0);
        return row;
    }
}
