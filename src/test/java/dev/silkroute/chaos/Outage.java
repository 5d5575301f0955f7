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

    /** How long routers go on when the server is back. */
    private static final int AFTER_MILLIS = 3000;

    private final Cluster cluster;
    private final long changes;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Findings findings = new Findings();

    private Outage(Cluster cluster, long changes) {
        this.cluster = cluster;
        this.changes = changes;
    }

    /**
     * One that is over.
     *
     * @param seconds that the server was away
     * @param sending of these, how long the routers sent as much as was taken: less than all if they were through with what they may send
     * @param changes that the routers made in that time
     * @param heldMib the most that the collector held between socket and Kafka
     */
    public record Past(Kind kind, double seconds, double sending, long changes, double heldMib) {}

    /**
     * All of them, and what the station holds afterwards.
     *
     * @param heldBoundMib what the collector may hold
     */
    public record Outcome(List<Past> outages, double heldBoundMib, Verdict verdict, List<String> faults) {
        public Outcome {
            outages = List.copyOf(outages);
            faults = List.copyOf(faults);
        }
    }

    /** As {@link #run(Plan, List, Duration, long)}, with no end of changes. */
    public static Outcome run(Plan plan, List<Kind> kinds, Duration each) throws SQLException {
        return run(plan, kinds, each, Long.MAX_VALUE);
    }

    /** @param changes that each router makes at most from the begin of an outage on; what is written afterwards is bounded so */
    public static Outcome run(Plan plan, List<Kind> kinds, Duration each, long changes) throws SQLException {
        try (Cluster cluster = Cluster.start(plan, 0)) {
            Outage outage = new Outage(cluster, changes);
            List<Past> past = new ArrayList<>();
            if (!cluster.silence()) {
                outage.findings.add("a router can't tell its table");
            }
            for (Kind kind : kinds) {
                past.add(outage.strike(kind, each));
            }
            Verdict verdict = Verdict.of(cluster);
            long sessions = cluster.sessions();
            if (sessions != plan.load().routers()) {
                outage.findings.add(plan.load().routers() + " routers needed " + sessions + " sessions");
            }
            List<String> faults = new ArrayList<>(outage.findings.texts());
            faults.addAll(verdict.faults());
            return new Outcome(past, mib(outage.heldBound()), verdict, faults);
        }
    }

    private double heldBound() {
        return HELD_BYTES + HELD_BYTES_OF_SESSION * cluster.plan().load().routers();
    }

    private static double mib(double bytes) {
        return Math.round(bytes / (1 << 20) * 10) / 10.0;
    }

    private Past strike(Kind kind, Duration length) {
        Server<? extends EmbeddedServer> server = kind.kafka() ? cluster.kafka() : cluster.postgres();
        long before = cluster.changes();
        cluster.talk(changes);
        long begun = System.nanoTime();
        if (kind.frozen()) {
            server.freeze();
        } else {
            server.stop();
        }
        double held = 0;
        double sending = 0;
        try {
            while (System.nanoTime() - begun < length.toNanos()) {
                held = Math.max(held, heldBytes());
                if (!cluster.isThrough()) {
                    sending = seconds(begun);
                }
                Pause.millis(250);
            }
        } finally {
            if (kind.frozen()) {
                server.thaw();
            } else {
                server.start();
            }
        }
        Past past = new Past(kind, seconds(begun), sending, cluster.changes() - before, mib(held));
        if (held > heldBound()) {
            findings.add("the collector held %.1f MB during %s".formatted(held / 1e6, kind));
        }
        Pause.millis(AFTER_MILLIS);
        if (!cluster.silence()) {
            findings.add("a router can't go on after " + kind);
        }
        return past;
    }

    private static double seconds(long since) {
        return Math.round((System.nanoTime() - since) / 1e8) / 10.0;
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
