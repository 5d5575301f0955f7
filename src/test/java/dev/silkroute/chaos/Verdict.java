package dev.silkroute.chaos;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The result of the checks after the routers have stopped sending and everything is stored.
 *
 * @param faults the errors found; empty if there are none
 * @param routes the number of routes that the routers have
 * @param events the number of announcements and withdrawals in {@code bmp.routes}
 * @param history the counts of {@code bmp.route_event}
 * @param sessions the number of BMP sessions that the routers started
 * @param recovered seconds from the routers' last message until the current state was correct
 * @param mostMib the peak resident memory of the largest process of the station
 */
public record Verdict(
        List<String> faults,
        long routes,
        long events,
        HistoryCounts history,
        long sessions,
        double recovered,
        long mostMib) {
    /** The time without changes after which everything is considered stored. */
    private static final Duration STILL = Duration.ofSeconds(20);

    /**
     * Expected errors: lost connections, lost group memberships, killed collectors, full disks, and consumers that are
     * interrupted at a stop because they could not close in time while the network was slow.
     */
    private static final Pattern CONNECTION = Pattern.compile(
            "(?i)connection|connect|disconnect|terminat|unavailable|timed? ?out|refused|reset|broken pipe|not available"
                    + "|restarted or replaced"
                    + "|starting up|shutting down|recovery|closed"
                    + "|coordinator"
                    + "|collector .* has not reported"
                    + "|no space left"
                    + "|\\[error occurred after shutdown]");

    /** Memory in addition to the heap: code, stacks, buffers of Netty and of Kafka clients. */
    static final int BESIDE_HEAP_MIB = 450;

    /** Returns the maximum resident memory of a process. */
    public static final int MOST_MIB = StationPart.HEAP_MIB + BESIDE_HEAP_MIB;

    public Verdict {
        faults = List.copyOf(faults);
    }

    /** Waits until everything is stored and runs the checks. */
    static Verdict of(Cluster cluster) throws SQLException {
        Findings findings = new Findings();
        if (!cluster.silence()) {
            findings.add("a router cannot send its table");
        }
        long silent = System.nanoTime();
        Map<String, String> expected = StateCheck.expected(cluster.routers());
        double recovered;
        HistoryCounts history;
        TopicTruth truth;
        try (Connection connection = cluster.connect()) {
            recovered = awaitState(cluster, connection, expected, silent);
            awaitStillness(cluster, connection);
            truth = TopicTruth.read(cluster.bootstrap(), findings, cluster.overlaps());
            StateCheck.current(connection, expected, findings);
            history = HistoryCheck.run(connection, truth, findings);
            StateCheck.history(connection, expected, findings);
            RibCheck.run(cluster.bootstrap(), expected, findings);
            LifecycleCheck.run(connection, cluster.bootstrap(), findings);
        }
        long most = 0;
        for (StationPart part : cluster.parts()) {
            part.mishaps().forEach(findings::add);
            errors(part, findings);
            most = Math.max(most, part.mostMib());
        }
        if (most > MOST_MIB) {
            findings.add("a process of the station had " + most + " MiB resident");
        }
        return new Verdict(
                findings.texts(), expected.size(), truth.events(), history, cluster.sessions(), recovered, most);
    }

    /** Returns the seconds until the state is correct, or −1 if it does not become correct. */
    private static double awaitState(Cluster cluster, Connection connection, Map<String, String> expected, long since)
            throws SQLException {
        long deadline = System.nanoTime() + cluster.plan().recovery().toNanos();
        long unchangedSince = System.nanoTime();
        long before = -1;
        while (System.nanoTime() < deadline && System.nanoTime() - unchangedSince < STILL.toNanos()) {
            long now = progress(connection);
            boolean moves = now != before;
            if (moves) {
                before = now;
                unchangedSince = System.nanoTime();
            }
            // Comparing takes time from the writers, so it waits until they are idle.
            if (!moves
                    && one(connection, "SELECT count(*) FILTER (WHERE NOT stale) FROM bmp.v_rib") == expected.size()) {
                Findings findings = new Findings();
                StateCheck.current(connection, expected, findings);
                if (findings.texts().isEmpty()) {
                    return (System.nanoTime() - since) / 1e9;
                }
            }
            Pause.millis(500);
        }
        return -1;
    }

    /** Waits for the other lanes, which may be behind. */
    private static void awaitStillness(Cluster cluster, Connection connection) throws SQLException {
        long deadline = System.nanoTime() + cluster.plan().recovery().toNanos();
        long before = -1;
        long unchangedSince = System.nanoTime();
        while (System.nanoTime() < deadline && System.nanoTime() - unchangedSince < STILL.toNanos() / 4) {
            long now = progress(connection);
            if (now != before) {
                before = now;
                unchangedSince = System.nanoTime();
            }
            Pause.millis(500);
        }
    }

    /** Returns a number that changes with every row that is written, at little cost. */
    private static long progress(Connection connection) throws SQLException {
        return one(
                connection,
                "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables WHERE schemaname = 'bmp'"
                        + " AND (relname ~ '^(route_event|rib_route)' OR relname IN ('peer_event', 'statistic', 'live_session'))");
    }

    private static long one(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void errors(StationPart part, Findings findings) {
        Findings.Kind kind = findings.kind("error in the log of " + part.name());
        part.log()
                .lines()
                .filter(line -> line.matches("\\d\\d:\\d\\d:\\d\\d (ERROR|FATAL).*"))
                .filter(line -> !CONNECTION.matcher(line).find())
                .forEach(kind::add);
        kind.close();
    }
}
