package dev.silkroute.chaos;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
        FREEZE_WRITER(2);

        private final int weight;

        Blow(int weight) {
            this.weight = weight;
        }

        boolean kills() {
            return this != STOP_WRITER && this != FREEZE_WRITER;
        }
    }

    private static final int FROZEN_MILLIS = 9_000;

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
            double seconds = monkey.rage(kills);
            return new Havoc(monkey.struck, monkey.diary, seconds, Verdict.of(cluster));
        }
    }

    private double rage(int kills) {
        List<Blow> plan = plan(kills);
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
        return (System.nanoTime() - begun) / 1e9;
    }

    /**
     * Returns the failures in order: each kind of kill occurs before any repeats, if there are enough, with other
     * failures in between.
     */
    private List<Blow> plan(int kills) {
        List<Blow> plan = new ArrayList<>();
        List<Blow> first = new ArrayList<>(List.of(Blow.values()));
        first.removeIf(blow -> !blow.kills());
        java.util.Collections.shuffle(first, random);
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
        for (Blow blow : Blow.values()) {
            sum += blow.weight;
        }
        int drawn = random.nextInt(sum);
        for (Blow blow : Blow.values()) {
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
                return () -> {};
            }
            case FAIL_OVER_POSTGRES -> {
                return failOver(blow, down);
            }
            case KILL_WRITER, STOP_WRITER, FREEZE_WRITER -> {
                return writer(blow, which, down);
            }
        }
        throw new IllegalStateException();
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
        if (!Pause.until(java.time.Duration.ofSeconds(150), victim::isUp)) {
            throw new IllegalStateException(victim.name() + " does not come back");
        }
    }

    private void note(Blow blow, String victim, int down) {
        struck.merge(blow, 1, Integer::sum);
        diary.add("%.1f s: %s %s for %d ms".formatted((System.nanoTime() - begun) / 1e9, blow, victim, down));
    }
}
