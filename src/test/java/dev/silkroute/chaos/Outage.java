package dev.silkroute.chaos;

import dev.silkroute.app.embedded.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Kafka and PostgreSQL go away for a while, one after the other, while routers send; no router may notice. */
public final class Outage {
    /** What happens to a server. */
    public enum Kind {
        /** It stands still: connections stay, nothing is answered. */
        KAFKA_FROZEN,
        /** It stops by the book and is started again. */
        KAFKA_STOPPED,
        POSTGRES_FROZEN,
        POSTGRES_STOPPED;

        private boolean frozen() {
            return this == KAFKA_FROZEN || this == POSTGRES_FROZEN;
        }

        private boolean kafka() {
            return this == KAFKA_FROZEN || this == KAFKA_STOPPED;
        }
    }

    /** The collector's bound of all sessions together by default, and what one more batch of each session may add. */
    private static final double HELD_BYTES = 128e6 * 1.05;

    private static final double HELD_BYTES_OF_SESSION = 2e6;

    private static final int BETWEEN_MILLIS = 3000;

    private final Cluster cluster;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Findings findings = new Findings();

    private Outage(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * One that is over.
     *
     * @param seconds that the server was away
     * @param changes that the routers made in that time
     * @param heldMib the most that the collector held between socket and Kafka
     */
    public record Past(Kind kind, double seconds, long changes, double heldMib) {}

    /** All of them, and what the station holds afterwards. */
    public record Outcome(List<Past> outages, Verdict verdict, List<String> faults) {
        public Outcome {
            outages = List.copyOf(outages);
            faults = List.copyOf(faults);
        }
    }

    public static Outcome run(Plan plan, List<Kind> kinds, Duration each) throws SQLException {
        try (Cluster cluster = Cluster.start(plan)) {
            Outage outage = new Outage(cluster);
            List<Past> past = new ArrayList<>();
            for (Kind kind : kinds) {
                Pause.millis(BETWEEN_MILLIS);
                past.add(outage.strike(kind, each));
            }
            Pause.millis(BETWEEN_MILLIS);
            long sessions = cluster.sessions();
            if (sessions != plan.load().routers()) {
                outage.findings.add(plan.load().routers() + " routers needed " + sessions + " sessions");
            }
            Verdict verdict = Verdict.of(cluster);
            List<String> faults = new ArrayList<>(outage.findings.texts());
            faults.addAll(verdict.faults());
            return new Outcome(past, verdict, faults);
        }
    }

    private Past strike(Kind kind, Duration length) {
        Server<? extends EmbeddedServer> server = kind.kafka() ? cluster.kafka() : cluster.postgres();
        long changes = cluster.changes();
        long begun = System.nanoTime();
        if (kind.frozen()) {
            server.freeze();
        } else {
            server.stop();
        }
        double held = 0;
        try {
            while (System.nanoTime() - begun < length.toNanos()) {
                held = Math.max(held, heldBytes());
                Pause.millis(250);
            }
        } finally {
            if (kind.frozen()) {
                server.thaw();
            } else {
                server.start();
            }
        }
        if (held > HELD_BYTES + HELD_BYTES_OF_SESSION * cluster.plan().load().routers()) {
            findings.add("the collector held %.1f MB during %s".formatted(held / 1e6, kind));
        }
        return new Past(
                kind,
                Math.round((System.nanoTime() - begun) / 1e8) / 10.0,
                cluster.changes() - changes,
                Math.round(held / (1 << 20) * 10) / 10.0);
    }

    private double heldBytes() {
        URI metrics = URI.create("http://127.0.0.1:" + cluster.collector().httpPort() + "/q/metrics");
        try {
            return http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith("bmp_held_bytes"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            findings.add("the collector does not answer: " + e);
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
