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
 * What a cluster holds once its routers are silent and everything is written.
 *
 * @param faults what is wrong, nothing if all is well
 * @param routes that the routers have
 * @param events announcements and withdrawals in {@code bmp.routes}
 * @param history what {@code bmp.route_event} has
 * @param sessions BMP sessions that the routers began
 * @param recovered seconds from the routers' last word to the moment when current state was right
 * @param mostMib memory of the largest process of the station
 */
public record Verdict(
        List<String> faults,
        long routes,
        long events,
        HistoryCounts history,
        long sessions,
        double recovered,
        long mostMib) {
    /** Nothing changes any more: whatever is not there by now will not come. */
    private static final Duration STILL = Duration.ofSeconds(20);

    /** Losses of connections, and of a consumer's place in its group, are what they are; any other error isn't expected. */
    private static final Pattern CONNECTION = Pattern.compile(
            "(?i)connection|connect|disconnect|terminat|unavailable|timed? ?out|refused|reset|broken pipe|not available"
                    + "|starting up|shutting down|recovery|closed"
                    + "|coordinator");

    /** Beyond the heap: code, stacks, buffers of Netty and of Kafka's clients. */
    static final int BESIDE_HEAP_MIB = 450;

    /** What a process of the station may have resident. */
    public static final int MOST_MIB = StationPart.HEAP_MIB + BESIDE_HEAP_MIB;

    public Verdict {
        faults = List.copyOf(faults);
    }

    /** Waits until all is written, and looks. */
    static Verdict of(Cluster cluster) throws SQLException {
        Findings findings = new Findings();
        if (!cluster.silence()) {
            findings.add("a router can't tell its table");
        }
        long silent = System.nanoTime();
        Map<String, String> expected = StateCheck.expected(cluster.routers());
        double recovered;
        HistoryCounts history;
        TopicTruth truth;
        try (Connection connection = cluster.connect()) {
            recovered = awaitState(cluster, connection, expected, silent);
            awaitStillness(cluster, connection);
            truth = TopicTruth.read(cluster.bootstrap(), findings);
            StateCheck.current(connection, expected, findings);
            history = HistoryCheck.run(connection, truth, findings);
            StateCheck.history(connection, expected, findings);
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

    /** Seconds, or -1 where it doesn't become right. */
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
            // Looking costs the writers time: not as long as they have something to do.
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

    /** The other lanes may be behind. */
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

    /** A number that changes with every row that is written, for next to nothing. */
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
