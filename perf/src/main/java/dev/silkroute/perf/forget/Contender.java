package dev.silkroute.perf.forget;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Machine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/** A way to send, the sink it sends to, and its measured runs. */
final class Contender implements AutoCloseable {
    private static final long LOOK_NANOS = 20_000;
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private static final int CHECKED_MESSAGES = 64_000;

    private final String name;
    private final String what;
    private final int batch;
    private final int size;
    private final boolean delivers;
    private final CountingSink sink = new CountingSink();
    private final Sender sender;
    private final List<Run> runs = new ArrayList<>();

    /** @param delivers false for a contender that sends nothing and so has nothing to arrive */
    Contender(String name, String what, int batch, int size, boolean delivers, Sender.Factory factory)
            throws Exception {
        this.name = name;
        this.what = what;
        this.batch = batch;
        this.size = size;
        this.delivers = delivers;
        sender = factory.start(sink.port());
    }

    String name() {
        return name;
    }

    String what() {
        return what;
    }

    /** Not timed: numbered messages, that they arrive whole, in order, and over one connection. */
    void check() throws Exception {
        if (!delivers) {
            return;
        }
        sink.keep();
        byte[] expected = new byte[CHECKED_MESSAGES * size];
        for (int i = 0; i < CHECKED_MESSAGES; i += batch) {
            byte[][] messages = new byte[batch][];
            for (int j = 0; j < batch; j++) {
                messages[j] = ByteBuffer.allocate(size).putInt(i + j).array();
                System.arraycopy(messages[j], 0, expected, (i + j) * size, size);
            }
            sender.send(messages);
        }
        sender.flush();
        awaitArrival(CHECKED_MESSAGES * (long) size);
        if (!Arrays.equals(sink.kept(), expected) || sink.connections() != 1) {
            throw new IllegalStateException(name + " lost, reordered or spread its messages");
        }
    }

    Run run(long millis) throws Exception {
        byte[][] messages = new byte[batch][];
        Arrays.fill(messages, new byte[size]);
        long before = sink.bytes();
        System.gc();
        double cpu = Machine.cpuSeconds();
        long start = System.nanoTime();
        long end = start + millis * 1_000_000;
        long sent = 0;
        do {
            for (int i = 0; i < 16; i++) {
                sender.send(messages);
            }
            sent += 16L * batch;
        } while (System.nanoTime() < end);
        double sendSeconds = (System.nanoTime() - start) / 1e9;
        sender.flush();
        awaitArrival(delivers ? before + sent * size : before);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Run(sent, sendSeconds, seconds, Machine.cpuSeconds() - cpu);
    }

    void add(Run run) {
        runs.add(run);
    }

    private void awaitArrival(long bytes) {
        long limit = System.nanoTime() + LIMIT_NANOS;
        while (sink.bytes() < bytes) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException(name + ": " + (bytes - sink.bytes()) + " bytes have not arrived");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        if (sink.bytes() > bytes) {
            throw new IllegalStateException(name + ": " + (sink.bytes() - bytes) + " bytes too many have arrived");
        }
    }

    double median(ToDoubleFunction<Run> value) {
        return Line.median(values(value));
    }

    double best(ToDoubleFunction<Run> value) {
        return Arrays.stream(values(value)).max().orElseThrow();
    }

    double worst(ToDoubleFunction<Run> value) {
        return Arrays.stream(values(value)).min().orElseThrow();
    }

    /** Round by round, this one's figure divided by the other's. */
    double[] over(Contender other, ToDoubleFunction<Run> value) {
        double[] own = values(value);
        double[] others = other.values(value);
        for (int i = 0; i < own.length; i++) {
            own[i] /= others[i];
        }
        return own;
    }

    /** Round by round, this one's rate divided by the best that the other had in any round. */
    double[] overBestOf(Contender other) {
        double best = other.best(Run::delivered);
        return Arrays.stream(values(Run::delivered)).map(rate -> rate / best).toArray();
    }

    private double[] values(ToDoubleFunction<Run> value) {
        return runs.stream().mapToDouble(value).toArray();
    }

    @Override
    public void close() throws Exception {
        sender.close();
        sink.close();
    }
}
