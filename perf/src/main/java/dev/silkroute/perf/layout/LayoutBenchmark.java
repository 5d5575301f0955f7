package dev.silkroute.perf.layout;

import java.lang.foreign.Arena;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reads of records: one after the other, each naming the next as lists and tries do, and of many that are known before,
 * as a batch has them. And one change of each record.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LayoutBenchmark {
    static final int STEPS = 1024;

    /** Arrays, foreign memory in segments, foreign memory in one piece. */
    @Param({"arrays", "foreign-segments", "foreign"})
    public String layout = "";

    /** In the first-level cache, and beyond all caches (128 MiB). */
    @Param({"1024", "4194304"})
    public int records;

    private final Arena arena = Arena.ofShared();
    private final int[] known = new int[STEPS];
    private Layout memory = new Layout.Arrays(1);
    private int at;

    @Setup
    public void fill() {
        // Uses each implementation first, so that the compiler does not assume a single one
        for (String any : new String[] {"arrays", "foreign-segments", "foreign"}) {
            memory = of(any, 1);
        }
        memory = of(layout, records);
        // Sattolo's algorithm: one cycle through all
        int[] next = new int[records];
        Random random = new Random(1);
        for (int i = 0; i < records; i++) {
            next[i] = i;
        }
        for (int i = records - 1; i > 0; i--) {
            int j = random.nextInt(i);
            int swapped = next[i];
            next[i] = next[j];
            next[j] = swapped;
        }
        for (int i = 0; i < records; i++) {
            memory.publish(i, 0, next[i]);
            memory.publish(i, 1, i);
        }
        check(next);
    }

    private Layout of(String name, int size) {
        return switch (name) {
            case "arrays" -> new Layout.Arrays(size);
            case "foreign-segments" -> new Layout.ForeignSegments(size, arena);
            case "foreign" -> new Layout.Foreign(size, arena);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private void check(int[] next) {
        for (int i = 0; i < records; i++) {
            if (memory.read(i, 0) != next[i] || memory.read(i, 1) != i) {
                throw new IllegalStateException(layout + ", record " + i);
            }
        }
    }

    @TearDown
    public void close() {
        arena.close();
    }

    @Benchmark
    @OperationsPerInvocation(STEPS)
    public int followed() {
        int id = at;
        int sum = 0;
        for (int i = 0; i < STEPS; i++) {
            sum += memory.read(id, 1);
            id = memory.read(id, 0);
        }
        at = id;
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(STEPS)
    public int together() {
        choose();
        int sum = 0;
        for (int id : known) {
            sum += memory.read(id, 0) + memory.read(id, 1);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(STEPS)
    public int changed() {
        choose();
        for (int id : known) {
            memory.publish(id, 2, at);
        }
        return at;
    }

    /** Ids without a look at the memory. */
    private void choose() {
        int seed = at;
        for (int i = 0; i < STEPS; i++) {
            seed = seed * 0x2C9277B5 + 0x3C6EF35F;
            known[i] = (seed >>> 8) & records - 1;
        }
        at = seed & Integer.MAX_VALUE;
    }
}
