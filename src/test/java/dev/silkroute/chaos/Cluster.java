package dev.silkroute.chaos;

import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A distributed station: Kafka, PostgreSQL with a standby, two collectors, and two writers that share the partitions,
 * each in its own process, and synthetic routers in this process. Each router belongs to one of the collectors, or to
 * both, or moves between them.
 */
public final class Cluster implements AutoCloseable {
    /** Kafka's default of 10 s to replace a killed writer is too long for tests with many kills. */
    private static final List<String> QUICK_CONSUMERS =
            List.of("-Dsilkroute.writer.session-timeout=6s", "-Dcamel.component.kafka.heartbeat-interval-ms=1000");

    /** So is Kafka's default of 5 minutes until clients use partitions that were added. */
    private static final String QUICK_METADATA = "-Dcamel.component.kafka.metadata-max-age-ms=2000";

    /** The time after which a killed collector of twins counts as unavailable. */
    static final Duration COLLECTOR_TIMEOUT = Duration.ofSeconds(15);

    private static final int COLLECTORS = 2;
    private static final int WRITERS = 2;
    private static final int RIBS = 2;

    private final Plan plan;
    private final Server<EmbeddedKafka> kafka;
    private final PostgresPair postgres;
    private final List<StationPart> collectors = new ArrayList<>();
    private final List<StationPart> writers = new ArrayList<>();
    private final List<SimulatedRouter> routers = new ArrayList<>();
    private final List<StationPart> ribs = new ArrayList<>();
    private final Layout layout;
    private final Random moves = new Random();
    private final @Nullable Network network;
    private final @Nullable Clocks clocks;
    private @Nullable Disk disk;

    /**
     * The parts of a cluster, and the faults that it can have.
     *
     * @param twins whether each router has a session with each collector
     * @param ribs the number of processes with the roles rib and api
     */
    private record Layout(boolean twins, int ribs, Faults faults) {
        Layout(boolean twins, int ribs) {
            this(twins, ribs, new Faults(false, false, false));
        }
    }

    /**
     * The faults that a cluster can have besides those of processes. Those of the network and of disks require
     * {@link Namespaces} of this process.
     *
     * @param network whether the network can
     * @param disks whether Kafka and PostgreSQL have disks of their own, which can be filled
     * @param clocks whether the collectors and writers have clocks of their own
     */
    record Faults(boolean network, boolean disks, boolean clocks) {}

    private Cluster(Plan plan, Layout layout) {
        this.plan = plan;
        this.layout = layout;
        network = layout.faults().network() ? Network.open() : null;
        clocks = layout.faults().clocks() ? Clocks.open(plan.folder().resolve("clocks")) : null;
        try {
            Files.createDirectories(plan.folder());
            Files.createDirectories(plan.logs());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        kafka = Server.kafka(plan.home(), plan.folder().resolve("kafka"));
        if (layout.faults().disks()) {
            disk = Disk.mount(kafkaStorage(plan.folder()));
        }
        postgres = PostgresPair.start(
                plan.home(), plan.folder().resolve("postgres"), layout.faults().disks());
        kafka.start();
        for (int i = 1; i <= COLLECTORS; i++) {
            collectors.add(part("collector-" + i, "collector"));
        }
        for (int i = 1; i <= WRITERS; i++) {
            writers.add(part("writer-" + i, "writer"));
        }
        for (int i = 1; i <= layout.ribs(); i++) {
            ribs.add(part("rib-" + i, "rib,api"));
        }
    }

    /** Starts all processes and routers. */
    static Cluster start(Plan plan) {
        return start(plan, Long.MAX_VALUE);
    }

    /** @param changes the maximum number of changes of each router before {@link #talk} allows more */
    static Cluster start(Plan plan, long changes) {
        return start(new Cluster(plan, new Layout(false, 0)), changes);
    }

    /** Starts all processes and routers. */
    static Cluster start(Plan plan, Faults faults) {
        return start(new Cluster(plan, new Layout(false, 0, faults)), Long.MAX_VALUE);
    }

    /** Starts all processes, and routers that have a session with each collector. */
    static Cluster startTwins(Plan plan) {
        return start(new Cluster(plan, new Layout(true, 0)), Long.MAX_VALUE);
    }

    /** Starts all processes that the manifests for production have, with two for queries, and routers. */
    static Cluster startWithRibs(Plan plan) {
        return start(new Cluster(plan, new Layout(false, RIBS)), Long.MAX_VALUE);
    }

    private static Cluster start(Cluster cluster, long changes) {
        try {
            // The first process creates the topics and the schema.
            cluster.collectors.getFirst().start();
            atOnce(cluster.parts().stream()
                    .skip(1)
                    .<Runnable>map(part -> part::start)
                    .toList());
            cluster.connectRouters(changes);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private StationPart part(String name, String role) {
        List<String> options = new ArrayList<>(List.of("--roles", role));
        options.addAll(List.of("--kafka-bootstrap", bootstrap(), "--jdbc-url", jdbcUrl()));
        if (role.equals("collector")) {
            options.addAll(List.of("--bmp-host", "127.0.0.1"));
        }
        List<String> javaOptions = new ArrayList<>(QUICK_CONSUMERS);
        javaOptions.add(QUICK_METADATA);
        javaOptions.add("-Dsilkroute.collector=" + name);
        if (layout.twins()) {
            javaOptions.add("-Dsilkroute.writer.collector-timeout=" + COLLECTOR_TIMEOUT.toSeconds() + "s");
        }
        javaOptions.addAll(plan.javaOptions());
        List<String> prefix = new ArrayList<>();
        if (network != null) {
            prefix.addAll(network.prefix(name));
        }
        if (clocks != null) {
            prefix.addAll(clocks.prefix(name));
        }
        return new StationPart(plan.home(), name, plan.folder(), plan.logs(), prefix, options, javaOptions);
    }

    private void connectRouters(long changes) {
        LoadProfile profile = plan.load();
        LoadPlan load = new LoadPlan(profile);
        for (int i = 0; i < profile.routers(); i++) {
            if (layout.twins()) {
                routers.add(new TwinRouter(load, i, collectors, plan.changesPerSecond()));
                continue;
            }
            StationPart own = collectors.get(i % COLLECTORS);
            IntSupplier port = () -> (plan.moving() ? collectors.get(moves.nextInt(COLLECTORS)) : own).bmpPort();
            routers.add(new SyntheticRouter(load.router(i), port, plan.changesPerSecond(), changes));
        }
    }

    String bootstrap() {
        return kafka.get().bootstrap();
    }

    String jdbcUrl() {
        return postgres.jdbcUrl();
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl());
    }

    Plan plan() {
        return plan;
    }

    Server<EmbeddedKafka> kafka() {
        return kafka;
    }

    PostgresPair postgres() {
        return postgres;
    }

    List<StationPart> collectors() {
        return collectors;
    }

    List<StationPart> writers() {
        return writers;
    }

    /** Returns the processes with the roles rib and api. */
    List<StationPart> ribs() {
        return ribs;
    }

    List<StationPart> parts() {
        return Stream.of(collectors, writers, ribs).flatMap(List::stream).toList();
    }

    /** Returns whether a router may have several sessions at the same time. */
    boolean overlaps() {
        return layout.twins() || plan.moving();
    }

    Network network() {
        if (network == null) {
            throw new IllegalStateException("the network is that of the machine");
        }
        return network;
    }

    Clocks clocks() {
        if (clocks == null) {
            throw new IllegalStateException("all processes have the clock of the machine");
        }
        return clocks;
    }

    /** Returns the disk of Kafka. */
    Disk disk() {
        if (disk == null) {
            throw new IllegalStateException("Kafka has no disk of its own");
        }
        return disk;
    }

    /** Returns where Kafka stores its data, below the folder of a plan. */
    static Path kafkaStorage(Path folder) {
        return folder.resolve("kafka").resolve("kafka");
    }

    /** Lets a router begin another session, with any of the collectors if routers move. */
    void reconnect(int router) {
        routers.get(router % routers.size()).reconnect();
    }

    List<LoadRouter> routers() {
        return routers.stream().map(SimulatedRouter::plan).toList();
    }

    /** Returns the number of BMP sessions that the routers have started. */
    public long sessions() {
        return routers.stream().mapToLong(SimulatedRouter::sessions).sum();
    }

    /** Returns the number of changes that the routers have made to their tables. */
    public long changes() {
        return routers.stream().mapToLong(router -> router.plan().changes()).sum();
    }

    /** Lets each router make this number of further changes. */
    void talk(long changes) {
        routers.forEach(router -> router.talk(changes));
    }

    /** Returns whether all routers have made all changes that they may make. */
    boolean isThrough() {
        return routers.stream().allMatch(SimulatedRouter::isThrough);
    }

    long bytes() {
        return routers.stream().mapToLong(SimulatedRouter::bytes).sum();
    }

    /**
     * Lets the routers complete their tables and then stop sending. Returns false if one cannot within the recovery
     * time.
     */
    boolean silence() {
        routers.forEach(SimulatedRouter::fallSilent);
        return Pause.until(plan.recovery(), () -> routers.stream().allMatch(SimulatedRouter::isSilent));
    }

    @Override
    public void close() {
        routers.forEach(SimulatedRouter::close);
        parts().forEach(StationPart::thaw);
        atOnce(parts().stream().<Runnable>map(part -> part::stop).toList());
        atOnce(List.of(kafka::stop, postgres::close));
        if (disk != null) {
            disk.close();
        }
        if (network != null) {
            network.close();
        }
    }

    static void atOnce(List<Runnable> tasks) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<? extends Future<?>> all = tasks.stream().map(threads::submit).toList();
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
