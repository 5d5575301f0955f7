package dev.silkroute.perf.peers;

import dev.silkroute.perf.postgres.Processes;
import dev.silkroute.perf.station.CpuTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A collector of another project. It has consumed a session when all bytes have been written to its connection and the
 * CPU time of its processes no longer grows.
 */
final class ForeignCollector implements Collector {
    private static final Pattern LISTENING = Pattern.compile(" on 127\\.0\\.0\\.1:(\\d+)");
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MILLIS = 100;
    /** CPU seconds by which the CPU time has to grow: more than the resolution of {@code /proc}. */
    private static final double GROWTH = 0.015;
    /** CPU time that has not grown for so long has stopped growing. The time does not count. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** A collector that ends with its session is given this time to do so. */
    private static final long END_SECONDS = 2;

    private static final long STOP_SECONDS = 30;

    private final Process process;
    private final int port;
    private final RouteCount count;

    /** Counts the routes in the output of a collector that has ended. */
    @FunctionalInterface
    interface RouteCount {
        long read() throws IOException;
    }

    private ForeignCollector(Process process, int port, RouteCount count) {
        this.process = process;
        this.port = port;
        this.count = count;
    }

    /**
     * Starts a collector and waits until it listens.
     *
     * @param log file for its standard output and standard error, which must contain the address that it listens on
     */
    static Collector start(List<String> command, Path log, RouteCount count) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadline = System.nanoTime() + START_NANOS;
        while (process.isAlive() && System.nanoTime() < deadline) {
            Matcher listening = LISTENING.matcher(Files.readString(log));
            if (listening.find()) {
                return new ForeignCollector(process, Integer.parseInt(listening.group(1)), count);
            }
            Thread.sleep(POLL_MILLIS);
        }
        process.destroyForcibly();
        throw new IOException(command.getFirst() + " does not listen, see " + log);
    }

    @Override
    public Consumed consume(SendingRouter router, long deadline) throws IOException, InterruptedException {
        double before = cpuSeconds();
        double last = before;
        long start = System.nanoTime();
        long changed = start;
        router.send(port);
        while (!router.isSent() || System.nanoTime() - changed < QUIET_NANOS) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("the collector ended, or did not consume the session in time");
            }
            Thread.sleep(POLL_MILLIS);
            double now = cpuSeconds();
            if (now - last > GROWTH) {
                last = now;
                changed = System.nanoTime();
            }
        }
        return new Consumed((changed - start) / 1e9, new CpuTimes(last - before, 0, 0));
    }

    private double cpuSeconds() {
        return processes(Processes::cpuSeconds).sum();
    }

    @Override
    public long residentMib() {
        return Math.round(processes(pid -> Processes.memoryMib(pid, "VmRSS")).sum());
    }

    private DoubleStream processes(LongToDoubleFunction measure) {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .mapToLong(ProcessHandle::pid)
                .mapToDouble(measure);
    }

    @Override
    public long routes() throws IOException, InterruptedException {
        stop();
        return count.read();
    }

    private void stop() throws InterruptedException {
        if (process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            return;
        }
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() throws InterruptedException {
        stop();
    }
}
