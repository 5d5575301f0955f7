package dev.silkroute.chaos;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Restarts each process of a station in turn while routers send, as a rolling update does: SIGTERM, start, wait until
 * it is ready. Meanwhile all processes are asked whether they are ready, see {@link Readiness}.
 */
public final class Rolling {
    private static final Duration READY_LIMIT = Duration.ofMinutes(2);

    private final Cluster cluster;
    private final Findings findings;
    private final List<Readiness> readiness;
    private final int pauseMillis;
    private final Map<String, Double> longest = new LinkedHashMap<>();

    private Rolling(Cluster cluster, Findings findings, List<Readiness> readiness, int pauseMillis) {
        this.cluster = cluster;
        this.findings = findings;
        this.readiness = readiness;
        this.pauseMillis = pauseMillis;
    }

    /**
     * @param longest seconds from SIGTERM until everything was ready again, the longest of each process
     * @param probes how often a process was asked whether it is ready
     * @param positive how often it was
     */
    public record Outcome(
            Map<String, Double> longest, long probes, long positive, Verdict verdict, List<String> faults) {
        public Outcome {
            longest = new LinkedHashMap<>(longest);
            faults = List.copyOf(faults);
        }
    }

    /**
     * @param rounds how often each process is restarted
     * @param pauseMillis the pause after each restart
     */
    public static Outcome run(Plan plan, int rounds, int pauseMillis) throws SQLException {
        try (Cluster cluster = Cluster.startWithRibs(plan)) {
            Findings findings = new Findings();
            List<Readiness> readiness = new ArrayList<>();
            cluster.parts().forEach(part -> readiness.add(Readiness.watch(part, findings)));
            Rolling rolling = new Rolling(cluster, findings, readiness, pauseMillis);
            try {
                rolling.settle();
                for (int i = 0; i < rounds; i++) {
                    rolling.round();
                }
            } finally {
                readiness.forEach(each -> each.require(false));
                readiness.forEach(Readiness::close);
            }
            Verdict verdict = Verdict.of(cluster);
            List<String> faults = new ArrayList<>(findings.texts());
            faults.addAll(verdict.faults());
            return new Outcome(
                    rolling.longest,
                    readiness.stream().mapToLong(Readiness::probes).sum(),
                    readiness.stream().mapToLong(Readiness::positive).sum(),
                    verdict,
                    faults);
        }
    }

    private void round() {
        for (Readiness each : readiness) {
            each.require(false);
            restart(each.part().name(), each.part()::stop, each.part()::start);
        }
        List<Server<?>> servers = List.of(cluster.kafka(), cluster.postgres().primary());
        for (Server<?> server : servers) {
            readiness.forEach(each -> each.require(false));
            restart(server.name(), server::stop, server::start);
        }
    }

    private void restart(String name, Runnable stop, Runnable start) {
        long begun = System.nanoTime();
        stop.run();
        start.run();
        settle();
        longest.merge(name, Math.round((System.nanoTime() - begun) / 1e8) / 10.0, Math::max);
        Pause.millis(pauseMillis);
    }

    /** Waits until all processes are ready, which they have to be from then on. */
    private void settle() {
        long now = System.nanoTime();
        for (Readiness each : readiness) {
            if (!Pause.until(READY_LIMIT, () -> each.wasReadyAfter(now))) {
                findings.add(each.part().name() + " does not become ready");
            }
            each.require(true);
        }
    }
}
