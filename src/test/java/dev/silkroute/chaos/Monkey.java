package dev.silkroute.chaos;

import dev.silkroute.app.config.HostPort;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;

/**
 * Injects failures into a cluster under load. A seed determines the failures, their order and the pauses between them,
 * but not what the station is doing at those moments. Each killed process stays down for a while, during which other
 * processes may fail.
 */
public final class Monkey {
    /** A kind of failure. */
    public enum Blow {
        KILL_WRITER(5),
        KILL_COLLECTOR(4),
        KILL_KAFKA(3),
        KILL_POSTGRES(3),
        /** Kills the server process of one connection: PostgreSQL drops all connections and recovers by itself. */
        KILL_POSTGRES_BACKEND(2),
        /** Kills the primary while its standby lags, which then takes over and gets a new standby. */
        FAIL_OVER_POSTGRES(2),
        /** Stops a writer regularly, so that it leaves its consumer group, and starts it again. */
        STOP_WRITER(2),
        /** Suspends a writer until Kafka has reassigned its partitions to the other writer, then resumes it. */
        FREEZE_WRITER(2),
        /** Lets no packet pass between a process and Kafka or PostgreSQL, or between a collector and its routers. */
        CUT_NETWORK,
        /** Limits the same connections to a low rate. */
        SLOW_NETWORK,
        /** Drops some packets of the same connections. */
        LOSE_PACKETS,
        /** Leaves no space on Kafka's disk: the broker ends and is started again when there is space. */
        FILL_KAFKA_DISK,
        /** Leaves no space on the disk of the primary, which cannot write any more, or even ends. */
        FILL_POSTGRES_DISK,
        /** Sets the clock of a collector or writer ten minutes forward or back for a while, then right again. */
        STEP_CLOCK,
        /** Adds a partition to one of the topics. */
        ADD_PARTITIONS,
        /** Closes the connection of a router, which connects again. */
        RECONNECT_ROUTER;

        /** The kinds that need nothing but processes. */
        public static final Set<Blow> OF_PROCESSES = EnumSet.range(KILL_WRITER, FREEZE_WRITER);

        private static final Set<Blow> OF_NETWORK = EnumSet.range(CUT_NETWORK, LOSE_PACKETS);
        private static final Set<Blow> OF_DISKS = EnumSet.of(FILL_KAFKA_DISK, FILL_POSTGRES_DISK);

        private final int weight;

        Blow() {
            this(0); // drawn only where each kind is
        }

        Blow(int weight) {
            this.weight = weight;
        }

        /** Returns whether this process can cause it: some kinds require own {@link Namespaces}, or programs. */
        public boolean isPossible() {
            if (OF_NETWORK.contains(this)) {
                return Namespaces.hasOwnNetwork();
            }
            if (OF_DISKS.contains(this)) {
                return Namespaces.hasOwnMounts();
            }
            return this != STEP_CLOCK || Clocks.canStep();
        }

        boolean kills() {
            return OF_PROCESSES.contains(this) && this != STOP_WRITER && this != FREEZE_WRITER;
        }
    }

    private static final int FROZEN_MILLIS = 9_000;

    /** Faults of the network and of disks last longer than the time until a process is started again. */
    private static final int LONGER = 3;

    private static final Duration CLOCK_STEP = Duration.ofMinutes(10);
    private static final Duration COMES_BACK = Duration.ofSeconds(150);
    private static final Duration ENDS_LATER = Duration.ofSeconds(3);

    private static final List<String> TOPICS = List.of("bmp.raw", "bmp.routes", "bmp.peers", "bmp.stats");

    private final Cluster cluster;
    private final Random random;
    private final int pauseMillis;
    private final int downMillis;
    private final Map<Blow, Integer> struck = new EnumMap<>(Blow.class);
    private final List<String> diary = new ArrayList<>();
    private final long begun = System.nanoTime();

    private Monkey(Cluster cluster, long seed, int pauseMillis, int downMillis) {
        this.cluster = cluster;
        this.random = new Random(seed);
        this.pauseMillis = pauseMillis;
        this.downMillis = downMillis;
    }

    /**
     * The failures of a run and the result of the checks.
     *
     * @param struck the number of failures by kind
     * @param seconds from the first failure to the return of the last process
     */
    public record Havoc(Map<Blow, Integer> struck, List<String> diary, double seconds, Verdict verdict) {
        public Havoc {
            struck = Map.copyOf(struck);
            diary = List.copyOf(diary);
        }

        public int kills() {
            return struck.entrySet().stream()
                    .filter(entry -> entry.getKey().kills())
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }
    }

    /**
     * Injects failures until this number of processes was killed, waits until all are back, and checks the stored data.
     *
     * @param pauseMillis the maximum pause between two failures
     * @param downMillis the maximum time until a process is started again
     */
    public static Havoc run(Plan plan, long seed, int kills, int pauseMillis, int downMillis) throws SQLException {
        try (Cluster cluster = Cluster.start(plan)) {
            Monkey monkey = new Monkey(cluster, seed, pauseMillis, downMillis);
            return monkey.rage(monkey.plan(kills));
        }
    }

    /**
     * Injects this number of failures of each kind in random order, waits until all processes are back, and checks the
     * stored data.
     *
     * @param pauseMillis the maximum pause between two failures
     * @param downMillis the maximum time until a process is started again
     */
    public static Havoc runEach(Plan plan, Set<Blow> kinds, int each, long seed, int pauseMillis, int downMillis)
            throws SQLException {
        boolean network = Namespaces.hasOwnNetwork(); // whose loopback interface is down at first
        boolean disks = kinds.stream().anyMatch(Blow.OF_DISKS::contains);
        boolean clocks = kinds.contains(Blow.STEP_CLOCK);
        try (Cluster cluster = Cluster.start(plan, new Cluster.Faults(network, disks, clocks))) {
            Monkey monkey = new Monkey(cluster, seed, pauseMillis, downMillis);
            List<Blow> blows = new ArrayList<>();
            kinds.forEach(kind -> blows.addAll(Collections.nCopies(each, kind)));
            Collections.shuffle(blows, monkey.random);
            return monkey.rage(blows);
        }
    }

    private Havoc rage(List<Blow> plan) throws SQLException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> returns = new ArrayList<>();
            for (Blow blow : plan) {
                Pause.millis(pauseMillis / 4 + random.nextInt(pauseMillis * 3 / 4));
                Runnable comeback = strike(blow, random.nextInt(1 << 20), random.nextInt(downMillis));
                returns.add(threads.submit(comeback));
            }
            for (Future<?> comeback : returns) {
                comeback.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        return new Havoc(struck, diary, seconds, Verdict.of(cluster));
    }

    /**
     * Returns the failures in order: each kind of kill occurs before any repeats, if there are enough, with other
     * failures in between.
     */
    private List<Blow> plan(int kills) {
        List<Blow> plan = new ArrayList<>();
        List<Blow> first = new ArrayList<>(Blow.OF_PROCESSES);
        first.removeIf(blow -> !blow.kills());
        Collections.shuffle(first, random);
        int killed = 0;
        while (killed < kills) {
            Blow blow = killed < first.size() && random.nextInt(5) > 0 ? first.get(killed) : any();
            plan.add(blow);
            killed += blow.kills() ? 1 : 0;
        }
        return plan;
    }

    private Blow any() {
        int sum = 0;
        for (Blow blow : Blow.OF_PROCESSES) {
            sum += blow.weight;
        }
        int drawn = random.nextInt(sum);
        for (Blow blow : Blow.OF_PROCESSES) {
            drawn -= blow.weight;
            if (drawn < 0) {
                return blow;
            }
        }
        throw new IllegalStateException();
    }

    /** Causes a failure and returns the action that ends it. */
    private Runnable strike(Blow blow, int which, int down) {
        switch (blow) {
            case KILL_COLLECTOR -> {
                List<StationPart> collectors = cluster.collectors();
                return kill(blow, collectors.get(which % collectors.size()), down);
            }
            case KILL_KAFKA -> {
                return kill(blow, cluster.kafka(), down);
            }
            case KILL_POSTGRES -> {
                return kill(blow, cluster.postgres().primary(), down);
            }
            case KILL_POSTGRES_BACKEND -> {
                Server<?> postgres = cluster.postgres().primary();
                awaitUp(postgres);
                note(blow, postgres.killBackend(which) ? "postgres" : "nobody", 0);
                startIfEnding(postgres); // without the process that recovers the database, the server ends
                return () -> {};
            }
            case FAIL_OVER_POSTGRES -> {
                return failOver(blow, down);
            }
            case KILL_WRITER, STOP_WRITER, FREEZE_WRITER -> {
                return writer(blow, which, down);
            }
            case CUT_NETWORK -> {
                return network(blow, Network.Fault.CUT, which, LONGER * down);
            }
            case SLOW_NETWORK -> {
                return network(blow, Network.Fault.SLOW, which, LONGER * down);
            }
            case LOSE_PACKETS -> {
                return network(blow, Network.Fault.LOSS, which, LONGER * down);
            }
            case FILL_KAFKA_DISK -> {
                return fill(blow, cluster.kafka(), cluster.disk(), LONGER * down);
            }
            case FILL_POSTGRES_DISK -> {
                Server<?> primary = cluster.postgres().primary();
                awaitUp(primary);
                return fill(blow, primary, cluster.postgres().disk(), LONGER * down);
            }
            case STEP_CLOCK -> {
                return stepClock(which, LONGER * down);
            }
            case ADD_PARTITIONS -> {
                return addPartition(blow, TOPICS.get(which % TOPICS.size()));
            }
            case RECONNECT_ROUTER -> {
                note(blow, "router", 0);
                cluster.reconnect(which);
                return () -> {};
            }
        }
        throw new IllegalStateException();
    }

    /** Disturbs the connections of a process with Kafka or PostgreSQL, or of a collector with its routers. */
    private Runnable network(Blow blow, Network.Fault fault, int which, int millis) {
        List<StationPart> parts = cluster.parts();
        StationPart part = parts.get(which % parts.size());
        awaitUp(part);
        boolean kafka = which / parts.size() % 2 == 0;
        boolean collector = cluster.collectors().contains(part);
        Network network = cluster.network();
        note(blow, part.name() + " and " + (kafka ? "kafka" : collector ? "its routers" : "postgres"), millis);
        Runnable end;
        if (kafka) {
            end = network.disturbClient(
                    fault, part.name(), HostPort.parse(cluster.bootstrap()).port());
        } else if (collector) {
            end = network.disturbServer(fault, part.bmpPort());
        } else {
            end = network.disturbClient(fault, part.name(), cluster.postgres().port());
        }
        return () -> {
            Pause.millis(millis);
            end.run();
        };
    }

    /** Fills a disk for a while. Nothing else happens meanwhile, because a server may end at any time. */
    private Runnable fill(Blow blow, Server<?> server, Disk disk, int millis) {
        awaitUp(server);
        note(blow, server.name(), millis);
        disk.fill();
        Pause.millis(millis);
        disk.free();
        startIfEnding(server); // because of a write that failed at the last moment
        return () -> {};
    }

    /** Starts a server again if it ends within a short time. */
    private static void startIfEnding(Server<?> server) {
        Pause.until(ENDS_LATER, () -> !server.isUp());
        server.startIfDown();
    }

    private Runnable stepClock(int which, int millis) {
        List<StationPart> parts = cluster.parts();
        StationPart part = parts.get(which % parts.size());
        boolean forward = which / parts.size() % 2 == 0;
        awaitUp(part);
        note(Blow.STEP_CLOCK, part.name() + (forward ? " forward" : " back"), millis);
        cluster.clocks().set(part.name(), forward ? CLOCK_STEP : CLOCK_STEP.negated());
        return () -> {
            Pause.millis(millis);
            cluster.clocks().set(part.name(), Duration.ZERO);
        };
    }

    private Runnable addPartition(Blow blow, String topic) {
        awaitUp(cluster.kafka());
        note(blow, topic, 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()))) {
            int before = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .size();
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(before + 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return () -> {};
    }

    private Runnable kill(Blow blow, Victim victim, int down) {
        awaitUp(victim);
        note(blow, victim.name(), down);
        victim.kill();
        return comeback(victim, down);
    }

    private Runnable failOver(Blow blow, int down) {
        PostgresPair postgres = cluster.postgres();
        awaitUp(postgres.primary());
        awaitUp(postgres.standby());
        postgres.lag();
        Pause.millis(down);
        note(blow, "postgres", down);
        postgres.failOver();
        return postgres::rebuildStandby;
    }

    private Runnable writer(Blow blow, int which, int down) {
        List<StationPart> writers = cluster.writers();
        StationPart writer = writers.get(which % writers.size());
        awaitUp(writer);
        note(blow, writer.name(), blow == Blow.FREEZE_WRITER ? FROZEN_MILLIS : down);
        switch (blow) {
            case KILL_WRITER -> writer.kill();
            case STOP_WRITER -> writer.stop();
            default -> {
                writer.freeze();
                return () -> {
                    Pause.millis(FROZEN_MILLIS);
                    writer.thaw();
                };
            }
        }
        return comeback(writer, down);
    }

    private Runnable comeback(Victim victim, int down) {
        return () -> {
            Pause.millis(down);
            victim.start();
        };
    }

    /** Waits for a process that is already down. */
    private static void awaitUp(Victim victim) {
        if (!Pause.until(COMES_BACK, victim::isUp)) {
            throw new IllegalStateException(victim.name() + " does not come back");
        }
    }

    private void note(Blow blow, String victim, int down) {
        struck.merge(blow, 1, Integer::sum);
        diary.add("%.1f s: %s %s for %d ms".formatted((System.nanoTime() - begun) / 1e9, blow, victim, down));
    }
}
