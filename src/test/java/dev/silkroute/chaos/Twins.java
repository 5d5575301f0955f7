package dev.silkroute.chaos;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Kills one of two collectors again and again, while each router has a session with both and its tables change. The
 * other collector continues. A seed determines which one is killed when, and for how long.
 */
public final class Twins {
    /** The maximum time until a killed collector is started again: in most cases it counts as unavailable before. */
    private static final int MOST_DOWN_MILLIS = (int) (3 * Cluster.COLLECTOR_TIMEOUT.toMillis());

    private Twins() {}

    /**
     * @param diary the kills
     * @param seconds from the first kill to the return of the last collector
     */
    public record Outcome(List<String> diary, double seconds, Verdict verdict) {
        public Outcome {
            diary = List.copyOf(diary);
        }
    }

    /** @param pauseMillis the maximum pause between the return of a collector and the next kill */
    public static Outcome run(Plan plan, long seed, int kills, int pauseMillis) throws SQLException {
        Random random = new Random(seed);
        List<String> diary = new ArrayList<>();
        try (Cluster cluster = Cluster.startTwins(plan)) {
            long begun = System.nanoTime();
            for (int i = 0; i < kills; i++) {
                Pause.millis(random.nextInt(pauseMillis));
                StationPart victim = cluster.collectors().get(random.nextInt(2));
                int down = random.nextInt(MOST_DOWN_MILLIS);
                diary.add("%.1f s: %s for %d ms".formatted(seconds(begun), victim.name(), down));
                victim.kill();
                Pause.millis(down);
                victim.start();
            }
            double seconds = seconds(begun);
            return new Outcome(diary, seconds, Verdict.of(cluster));
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
