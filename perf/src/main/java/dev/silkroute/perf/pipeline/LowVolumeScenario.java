package dev.silkroute.perf.pipeline;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.Meter;
import dev.silkroute.perf.postgres.OwnLane;
import dev.silkroute.perf.postgres.ResourceUsage;
import dev.silkroute.perf.postgres.Server;
import dev.silkroute.perf.postgres.TransactionFeed;
import dev.silkroute.perf.postgres.Workload;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import dev.silkroute.postgres.dimension.AttributeSets;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The lanes of the store at a database that is far off: does the one of the peers keep up, and does it slow the bulk
 * down?
 */
@Command(
        name = "low-volume",
        description =
                "Peer events and routes with a round-trip time of 5 ms: does one lane keep up, and the other its rate?")
public final class LowVolumeScenario extends Scenario {
    private static final String TABLES =
            "bmp.route_event, bmp.peer_event, bmp.peer_state, bmp.peer, bmp.live_session, bmp.router";

    @Option(names = "--rounds", defaultValue = "7", description = "Measured rounds: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "1", description = "Rounds before those: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(names = "--rate", defaultValue = "5000", description = "Peer events a second: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--events", defaultValue = "300000", description = "Routes of a turn, about: ${DEFAULT-VALUE}.")
    private int events;

    @Option(names = "--batch", defaultValue = "2000", description = "Peer events of a transaction: ${DEFAULT-VALUE}.")
    private int batch;

    private final List<Double> full = new ArrayList<>();
    private final List<Double> serverMicros = new ArrayList<>();
    private final List<Double> clientMicros = new ArrayList<>();
    private final List<Double> keptUp = new ArrayList<>();
    private final List<Double> alone = new ArrayList<>();
    private final List<Double> together = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Path work = folder();
        Workload workload = Workload.history(events, 10_000);
        try (Server server = new Server(work.resolve("data"));
                Database database = server.create("low");
                DelayedLink link = new DelayedLink(database.port(), Duration.ofMillis(5))) {
            database.migrate();
            AttributeSets sets = OwnLane.setsOf(database, List.of(workload.tables(), workload.changes()));
            String url = "jdbc:postgresql://127.0.0.1:" + link.port() + "/low?user=silkroute";
            try (AgroalDataSource bulk = pool(url);
                    AgroalDataSource low = pool(url)) {
                for (int round = -warmUp; round < rounds; round++) {
                    round(round, server, database, bulk, low, sets, workload.changes());
                }
            }
            publish(
                    server.settings() + "; 5 ms in each direction; transactions of " + batch
                            + " peer events and of 10,000 routes",
                    lines(),
                    information());
        }
        return 0;
    }

    private static AgroalDataSource pool(String url) throws Exception {
        return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(2)
                        .acquisitionTimeout(Duration.ofSeconds(10))
                        .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url))));
    }

    private void round(
            int round,
            Server server,
            Database database,
            DataSource bulk,
            DataSource low,
            AttributeSets sets,
            TransactionFeed feed)
            throws Exception {
        double peers = peersAtFullSpeed(server, database, low);
        boolean first = Math.floorMod(round, 2) == 0;
        double before = first ? bulkAlone(database, bulk, sets, feed) : 0;
        Both both = both(database, bulk, low, sets, feed);
        double by = first ? before : bulkAlone(database, bulk, sets, feed);
        System.err.printf(
                "round %d: peers alone %.0f/s; bulk alone %.0f/s, with peers %.0f/s, peers then %.0f/s%n",
                round, peers, by, both.bulk, both.peers);
        if (round >= 0) {
            full.add(peers);
            alone.add(by);
            together.add(both.bulk);
            keptUp.add(both.peers);
        }
    }

    private double peersAtFullSpeed(Server server, Database database, DataSource low) throws Exception {
        database.execute("TRUNCATE " + TABLES + " CASCADE");
        PeerEvents peers = new PeerEvents(low);
        Meter meter = server.meter();
        long began = System.nanoTime();
        while (System.nanoTime() - began < 2e9) {
            peers.store(batch);
        }
        double perSecond = peers.stored() / ((System.nanoTime() - began) / 1e9);
        ResourceUsage usage = meter.stop();
        serverMicros.add(usage.serverCpuSeconds() / peers.stored() * 1e6);
        clientMicros.add(usage.clientCpuSeconds() / peers.stored() * 1e6);
        check(database, "bmp.peer_event", peers.stored());
        return perSecond;
    }

    private double bulkAlone(Database database, DataSource bulk, AttributeSets sets, TransactionFeed feed)
            throws Exception {
        database.execute("TRUNCATE " + TABLES + " CASCADE");
        return write(database, bulk, sets, feed);
    }

    private static double write(Database database, DataSource bulk, AttributeSets sets, TransactionFeed feed)
            throws Exception {
        long began = System.nanoTime();
        OwnLane.history(bulk, sets).write(feed);
        double perSecond = feed.events() / ((System.nanoTime() - began) / 1e9);
        check(database, "bmp.route_event", feed.events());
        return perSecond;
    }

    private record Both(double bulk, double peers) {}

    private Both both(Database database, DataSource bulk, DataSource low, AttributeSets sets, TransactionFeed feed)
            throws Exception {
        database.execute("TRUNCATE " + TABLES + " CASCADE");
        PeerEvents peers = new PeerEvents(low);
        AtomicBoolean over = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Double> paced = threads.submit(() -> paced(peers, over));
            double rows = write(database, bulk, sets, feed);
            over.set(true);
            double kept = paced.get();
            check(database, "bmp.peer_event", peers.stored());
            return new Both(rows, kept);
        }
    }

    /** Stores what is due, in batches as the consumer makes them. */
    private double paced(PeerEvents peers, AtomicBoolean over) throws Exception {
        long began = System.nanoTime();
        for (boolean last = false; !last; ) {
            last = over.get(); // then everything that is due is stored, so that no last batch is missing from the rate
            long due = (long) ((System.nanoTime() - began) / 1e9 * rate) - peers.stored();
            if (last || due >= Math.min(batch, rate / 4)) { // a consumer hands on what came in a quarter of a second
                peers.store((int) due);
            } else {
                LockSupport.parkNanos(2_000_000);
            }
        }
        return peers.stored() / ((System.nanoTime() - began) / 1e9);
    }

    private static void check(Database database, String table, long rows) throws Exception {
        long found = database.number("SELECT count(*) FROM " + table);
        if (found != rows) {
            throw new IllegalStateException(table + " has " + found + " rows and not " + rows);
        }
    }

    private List<Line> lines() {
        double[] wanted =
                full.stream().mapToDouble(perSecond -> perSecond / rate).toArray();
        double[] kept =
                keptUp.stream().mapToDouble(perSecond -> perSecond / rate).toArray();
        double[] bulk = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            bulk[i] = together.get(i) / alone.get(i);
        }
        String checked = "rows in the tables after each turn";
        return List.of(
                Line.higher(
                        "peers' lane, as fast as it can",
                        rate + " peer events/s",
                        "events/s",
                        wanted,
                        1.0,
                        2.0,
                        checked),
                Line.higher(
                        "peers' lane beside the bulk", rate + " peer events/s", "events/s", kept, 0.95, null, checked),
                Line.higher(
                        "bulk lane beside the peers' lane", "bulk lane alone", "events/s", bulk, 0.9, 0.95, checked));
    }

    private List<Map<String, Object>> information() {
        return List.of(
                row("peer events/s, as fast as the lane can", full),
                row("server CPU µs for each of them", serverMicros),
                row("client CPU µs, the network's included", clientMicros),
                row("peer events/s, " + rate + " offered, beside the bulk", keptUp),
                row("routes/s, alone", alone),
                row("routes/s, beside the peers", together));
    }

    private static Map<String, Object> row(String lane, List<Double> perSecond) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("what", lane);
        row.put("median", Math.round(Line.median(perSecond)));
        return row;
    }
}
