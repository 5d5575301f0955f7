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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Makes Kafka and PostgreSQL unavailable in turn while routers send. No BMP session may end because of that. */
public final class Outage {
    /** The kind of an outage. */
    public enum Kind {
        /** The server is suspended: connections stay open without replies. */
        KAFKA_FROZEN,
        /** The server is stopped regularly and started again. */
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

    /** The collector's default bound for all sessions together. It may be exceeded by one batch of each session. */
    private static final double MAX_HELD_BYTES = 128 << 20;

    private static final double HELD_BYTES_OF_SESSION = 2e6;

    /** The time that routers continue to send after the server is back. */
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
     * A completed outage.
     *
     * @param seconds the time that the server was unavailable
     * @param sending the part of that time during which the routers sent; less than all if they had made all changes
     *     that they may make
     * @param changes the changes that the routers made in that time
     * @param heldMib the maximum that the collector held between socket and Kafka
     */
    public record Past(Kind kind, double seconds, double sending, long changes, double heldMib) {}

    /**
     * All outages and the result of the checks afterwards.
     *
     * @param heldBoundMib the maximum that the collector may hold
     */
    public record Outcome(List<Past> outages, double heldBoundMib, Verdict verdict, List<String> faults) {
        public Outcome {
            outages = List.copyOf(outages);
            faults = List.copyOf(faults);
        }
    }

    /** Like {@link #run(Plan, List, Duration, long)} with unlimited changes. */
    public static Outcome run(Plan plan, List<Kind> kinds, Duration each) throws SQLException {
        return run(plan, kinds, each, Long.MAX_VALUE);
    }

    /**
     * @param changes the maximum number of changes of each router from the start of an outage, which limits the backlog
     */
    public static Outcome run(Plan plan, List<Kind> kinds, Duration each, long changes) throws SQLException {
        try (Cluster cluster = Cluster.start(plan, 0)) {
            Outage outage = new Outage(cluster, changes);
            List<Past> past = new ArrayList<>();
            if (!cluster.silence()) {
                outage.findings.add("a router cannot send its table");
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
        return MAX_HELD_BYTES * 1.05
                + HELD_BYTES_OF_SESSION * cluster.plan().load().routers();
    }

    private static double mib(double bytes) {
        return Math.round(bytes / (1 << 20) * 10) / 10.0;
    }

    private Past strike(Kind kind, Duration length) {
        Server<? extends EmbeddedServer> server =
                kind.kafka() ? cluster.kafka() : cluster.postgres().primary();
        long before = cluster.changes();
        cluster.talk(changes);
        long begun = System.nanoTime();
        if (kind.frozen()) {
            server.freeze();
        } else {
            server.stop();
        }
        Map<StationPart, CompletableFuture<Boolean>> readiness = kind.kafka() ? requestReadiness() : Map.of();
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
            checkReadiness(readiness, held, kind);
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
            findings.add("a router cannot continue after " + kind);
        }
        return past;
    }

    /** Asks each process whether it is ready. */
    private Map<StationPart, CompletableFuture<Boolean>> requestReadiness() {
        return cluster.parts().stream().collect(Collectors.toMap(part -> part, this::isReady));
    }

    private CompletableFuture<Boolean> isReady(StationPart part) {
        URI ready = URI.create("http://127.0.0.1:" + part.httpPort() + "/q/health/ready");
        return http.sendAsync(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.discarding())
                .thenApply(response -> response.statusCode() == 200);
    }

    /** Without Kafka, a writer is not ready. A collector is as long as it can hold more. */
    private void checkReadiness(Map<StationPart, CompletableFuture<Boolean>> readiness, double held, Kind kind) {
        readiness.forEach((part, isReady) -> {
            boolean collects = cluster.collectors().contains(part);
            if (isReady.join() != collects && (!collects || held <= MAX_HELD_BYTES)) {
                findings.add("%s is %s during %s".formatted(part.name(), collects ? "not ready" : "ready", kind));
            }
        });
    }

    private static double seconds(long since) {
        return Math.round((System.nanoTime() - since) / 1e8) / 10.0;
    }

    /** Returns the most that a collector holds. */
    private double heldBytes() {
        return cluster.collectors().stream().mapToDouble(this::heldBytes).max().orElse(0);
    }

    private double heldBytes(StationPart collector) {
        URI metrics = URI.create("http://127.0.0.1:" + collector.httpPort() + "/q/metrics");
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
