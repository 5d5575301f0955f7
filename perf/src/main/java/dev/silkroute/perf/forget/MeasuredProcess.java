package dev.silkroute.perf.forget;

import dev.silkroute.perf.report.Machine;
import io.netty.util.ResourceLeakDetector;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A sender and its receiver in a separate process: {@code main VARIANT SIZE}. After a check it prints {@code ready}.
 * For each input line with a number of milliseconds it performs a run and prints a line with the result, until its
 * input ends.
 */
public final class MeasuredProcess {
    private static final long LOOK_NANOS = 20_000;
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private static final int CHECKED_MESSAGES = 64_000;

    private final SendVariant way;
    private final int size;
    private final CountingSink sink = new CountingSink();
    private final Sender sender;

    private MeasuredProcess(SendVariant way, int size) throws Exception {
        this.way = way;
        this.size = size;
        sender = way.factory.start(sink.port());
    }

    public static void main(String[] arguments) throws Exception {
        // As in the running station. Before Quarkus starts, its log manager takes every trace message.
        Logger.getLogger("").setLevel(Level.WARNING);
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        PrintStream out = System.out;
        MeasuredProcess measured =
                new MeasuredProcess(SendVariant.valueOf(arguments[0]), Integer.parseInt(arguments[1]));
        measured.check();
        out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String millis = in.readLine(); millis != null; millis = in.readLine()) {
            out.println(measured.run(Long.parseLong(millis)).line());
        }
        System.exit(0);
    }

    /** Checks, without measuring, that numbered messages arrive complete, in order, and over one connection. */
    void check() throws Exception {
        if (!way.delivers()) {
            return;
        }
        sink.keep();
        byte[] expected = new byte[CHECKED_MESSAGES * size];
        for (int i = 0; i < CHECKED_MESSAGES; i += way.batch) {
            byte[][] messages = new byte[way.batch][];
            for (int j = 0; j < way.batch; j++) {
                messages[j] = ByteBuffer.allocate(size).putInt(i + j).array();
                System.arraycopy(messages[j], 0, expected, (i + j) * size, size);
            }
            sender.send(messages);
        }
        sender.flush();
        awaitArrival(CHECKED_MESSAGES * (long) size);
        if (!Arrays.equals(sink.kept(), expected) || sink.connections() != 1) {
            throw new IllegalStateException(way + " lost, reordered or spread its messages");
        }
    }

    Run run(long millis) throws Exception {
        byte[][] messages = new byte[way.batch][];
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
            sent += 16L * way.batch;
        } while (System.nanoTime() < end);
        double sendSeconds = (System.nanoTime() - start) / 1e9;
        sender.flush();
        awaitArrival(way.delivers() ? before + sent * size : before);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Run(sent, sendSeconds, seconds, Machine.cpuSeconds() - cpu);
    }

    private void awaitArrival(long bytes) {
        long limit = System.nanoTime() + LIMIT_NANOS;
        while (sink.bytes() < bytes) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException(way + ": " + (bytes - sink.bytes()) + " bytes have not arrived");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        if (sink.bytes() > bytes) {
            throw new IllegalStateException(way + ": " + (sink.bytes() - bytes) + " bytes too many have arrived");
        }
    }
}
