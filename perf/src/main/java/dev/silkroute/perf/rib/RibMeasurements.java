package dev.silkroute.perf.rib;

import static dev.silkroute.perf.rib.Contenders.*;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Runs the rounds: sends commands to each contender and checks its results. */
final class RibMeasurements {
    /** The contenders that store routes with attributes. */
    private static final List<String> TABLES = List.of(OWN, PLAIN, ROTONDA);

    private static final List<String> JAVAS = List.of(OWN, PLAIN);
    private static final List<String> ALL = List.of(OWN, PLAIN, ROTONDA, BART);

    private static final int ONE_ROUTE_FLUSHES = 100;

    private final Contenders contenders;
    private final Map<String, String> expected;
    private final int warmUp;
    private final int rounds;
    private final double seconds;

    RibMeasurements(Contenders contenders, Map<String, String> expected, int warmUp, int rounds, double seconds) {
        this.contenders = contenders;
        this.expected = expected;
        this.warmUp = warmUp;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** The real prefixes: a table, a second peer's routes to half of them, changes, and peers that go. */
    void real() throws IOException {
        for (int round = -warmUp; round < rounds; round++) {
            boolean kept = round >= 0;
            for (Contender contender : contenders.turn(round, TABLES)) {
                table(contender, "real", kept);
                boolean java = !contender.name().equals(ROTONDA);
                apply(contender, "second", kept, java);
                apply(contender, "change", kept, java);
                memory(contender, "bytes/route, real and second", kept);
                if (java) {
                    Map<String, Double> flushed =
                            contender.ask("flushes one 2 " + (contender.name().equals(PLAIN) ? 1 : ONE_ROUTE_FLUSHES));
                    if (kept) {
                        flushed.forEach((what, value) -> contender.keep("flush of one route, ns " + what, value));
                    }
                }
                for (String peer : List.of("1", "0")) {
                    flush(contender, peer, kept);
                }
            }
        }
    }

    private void flush(Contender contender, String peer, boolean kept) throws IOException {
        Map<String, Double> flushed = contender.ask("flush " + peer);
        double left = flushed.getOrDefault("routes", 0.0);
        flushed.remove("routes");
        if (kept) {
            flushed.forEach((what, value) -> contender.keep("flush of peer " + peer + ", ns " + what, value));
        }
        if (peer.equals("0") && left != 0) {
            throw new IOException(contender.name() + " has routes of removed peers");
        }
    }

    private void table(Contender contender, String routes, boolean kept) throws IOException {
        contender.send("new");
        apply(contender, routes, kept, false);
        memory(contender, "bytes/route, " + routes, kept);
    }

    /** @param read records are read before the clock starts, so that allocations are the table's own */
    private static void apply(Contender contender, String routes, boolean kept, boolean read) throws IOException {
        Map<String, Double> applied = contender.ask((read ? "applyread " : "apply ") + routes);
        double count = value(applied, "routes");
        System.err.printf(
                "%-22s %-10s %9.0f routes/CPU s, %9.0f routes/s%n",
                contender.name(), routes, count / value(applied, "cpu") * 1e9, count / value(applied, "nanos") * 1e9);
        if (kept) {
            contender.keep("routes/CPU s, " + routes, count / value(applied, "cpu") * 1e9);
            contender.keep("routes/s, " + routes, count / value(applied, "nanos") * 1e9);
            if (read) {
                contender.keep("allocated/update, " + routes, value(applied, "allocated") / count);
            }
        }
    }

    private void memory(Contender contender, String measure, boolean kept) throws IOException {
        Map<String, Double> memory = contender.ask("memory");
        if (kept && memory.containsKey("routes")) {
            contender.keep(measure, value(memory, "bytes") / value(memory, "routes"));
            contender.keep("reserved " + measure, value(memory, "reserved") / value(memory, "routes"));
        } else if (kept) {
            int prefixes = Integer.parseInt(expectation(measure.endsWith("synthetic") ? "synthetic" : "real"));
            contender.keep(measure, value(memory, "bytes") / prefixes);
        }
    }

    private String expectation(String routes) {
        return expected.getOrDefault(routes + " prefixes", "0");
    }

    /** One way to ask for one set of addresses. */
    private record Lookup(String probes, String how) {
        String measure(String routes) {
            return routes + " " + probes + " " + how;
        }
    }

    /** Lookups in a table of one peer. */
    void lookups(String routes, List<String> probes) throws IOException {
        boolean real = routes.equals("real");
        for (Contender contender : contenders.turn(0, real ? ALL : TABLES)) {
            contender.send("new");
            contender.ask("apply " + routes);
            check(contender, routes, probes);
        }
        for (String name : probes) {
            for (int round = -warmUp; round < rounds; round++) {
                for (Contender contender : contenders.turn(round, real ? ALL : TABLES)) {
                    for (String how : ways(contender.name())) {
                        lookup(contender, new Lookup(name, how), routes, round >= 0);
                    }
                }
            }
        }
    }

    private static List<String> ways(String contender) {
        return switch (contender) {
            case BART -> List.of("lpm");
            case ROTONDA -> List.of("full");
            case PLAIN -> List.of("fulleach");
            default -> List.of("lpm", "lpmeach", "lpms", "full", "fulleach", "fulls");
        };
    }

    private void lookup(Contender contender, Lookup lookup, String routes, boolean kept) throws IOException {
        Map<String, Double> found = contender.ask("lookup " + lookup.probes + " " + lookup.how + " " + seconds);
        double nanos = value(found, "cpu") / value(found, "lookups");
        System.err.printf("%-22s %-28s %8.1f ns%n", contender.name(), lookup.measure(routes), nanos);
        if (kept) {
            contender.keep(lookup.measure(routes), nanos);
        }
    }

    private void check(Contender contender, String routes, List<String> probes) throws IOException {
        for (String name : probes) {
            List<String> depths = switch (contender.name()) {
                case BART -> List.of("lpm");
                case ROTONDA, PLAIN -> List.of("full");
                default -> List.of("lpm", "full");
            };
            for (String depth : depths) {
                String answer = contender.send("check " + name + " " + depth);
                String lookup = routes + " " + name + " " + depth;
                if (!answer.equals(expected.get(lookup))) {
                    throw new IOException(contender.name() + " answered " + answer + " to " + lookup + ", not "
                            + expected.get(lookup));
                }
            }
        }
    }

    /** Inserts the synthetic routes into a new table each time. */
    void synthetic() throws IOException {
        for (int round = -warmUp; round < rounds; round++) {
            for (Contender contender : contenders.turn(round, TABLES)) {
                table(contender, "synthetic", round >= 0);
            }
        }
    }

    /** Reads, each timed, while none, one or two threads write as fast as they can. */
    void churn() throws IOException {
        churn(List.of("1.0.start"), List.of("0 changed", "1 changed", "1 same"));
        agree(List.of("1.0.changed", "1.0.same"));
        churn(List.of("2.0.start", "2.1.start"), List.of("2 changed"));
    }

    /** Writers keep the number of routes about the same, so all rounds use one table. */
    private void churn(List<String> start, List<String> cases) throws IOException {
        for (Contender contender : contenders.turn(0, JAVAS)) {
            contender.send("new");
            for (String routes : start) {
                contender.ask("apply " + routes);
            }
            for (String writers : cases) {
                latency(contender, writers, false);
            }
        }
        for (int round = 0; round < rounds; round++) {
            for (Contender contender : contenders.turn(round, JAVAS)) {
                for (String writers : cases) {
                    latency(contender, writers, true);
                    if (!writers.startsWith("0")) {
                        writes(contender, writers);
                    }
                }
            }
        }
    }

    /**
     * Wherever the writers have stopped: once more all they write, in one order, and all tables have to be the same.
     */
    private void agree(List<String> updates) throws IOException {
        String first = null;
        for (Contender contender : contenders.turn(0, JAVAS)) {
            for (String routes : updates) {
                contender.ask("apply " + routes);
            }
            String answer = contender.send("check akvorado4 full");
            if (first != null && !answer.equals(first)) {
                throw new IOException(
                        "after the same updates " + contender.name() + " answers " + answer + ", another one " + first);
            }
            first = answer;
        }
    }

    private void latency(Contender contender, String writers, boolean kept) throws IOException {
        Map<String, Double> read = contender.ask("latency akvorado4 " + writers + " " + 3 * seconds);
        double writes = value(read, "writes") / value(read, "nanos") * 1e9;
        System.err.printf(
                "%-22s writers %-10s p50 %5.0f, p99 %6.0f, p99.9 %8.0f, max %9.0f ns, %9.0f writes/s%n",
                contender.name(),
                writers,
                value(read, "p50"),
                value(read, "p99"),
                value(read, "p999"),
                value(read, "max"),
                writes);
        if (kept) {
            for (String what : List.of("p50", "p99", "p999", "max")) {
                contender.keep(what + ", writers " + writers, value(read, what));
            }
            if (!writers.startsWith("0")) {
                contender.keep("writes/s, writers " + writers, writes);
                contender.keep("allocated/update, writers " + writers, value(read, "allocated") / value(read, "of"));
            }
        }
    }

    private void writes(Contender contender, String writers) throws IOException {
        Map<String, Double> written = contender.ask("writes " + writers + " " + seconds);
        double writes = value(written, "writes") / value(written, "nanos") * 1e9;
        System.err.printf("%-22s writers %-10s %9.0f writes/s, nobody reads%n", contender.name(), writers, writes);
        contender.keep("writes/s, nobody reads, writers " + writers, writes);
    }

    private static double value(Map<String, Double> from, String name) {
        Double value = from.get(name);
        if (value == null) {
            throw new IllegalStateException(name + " is missing in " + from);
        }
        return value;
    }
}
