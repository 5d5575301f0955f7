package dev.silkroute.perf.endtoend;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;

import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A router that announces a new route twenty times a second, and two observers that look for the oldest route that has
 * not arrived: one asks the RIB, the other the current state in the database. The routes of a session arrive in order.
 *
 * <p>No two probes announce the same route: a station keeps the stale ones of an earlier session, and would have those.
 */
final class Probe implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Resolution of the latencies. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** The routes of all probes, in 198.18.0.0/15 (RFC 2544). */
    private static final int MAX_ROUTES = 1 << 17;

    /** The longest time that a probe can last that is the first one of its process and has the routes of all. */
    static final long LONGEST_MINUTES = TimeUnit.NANOSECONDS.toMinutes(MAX_ROUTES * INTERVAL_NANOS);

    /** The number of the next probe's first route. */
    private static final AtomicInteger NEXT = new AtomicInteger();

    static final String ROUTER = "probe";

    private final RunningStation station;
    private final Socket socket;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Future<Void> sender;
    private final Future<List<Double>> rib;
    private final Future<List<Double>> rows;
    private final int first = NEXT.get();
    private final long[] sentAt = new long[MAX_ROUTES - first];
    private volatile int sent;
    private volatile boolean stopping;

    /** Seconds from the socket to the RIB, and to the committed row, each sorted. */
    record Latencies(List<Double> rib, List<Double> row) {
        double ribMillis(double quantile) {
            return 1e3 * quantile(rib, quantile);
        }

        double rowMillis(double quantile) {
            return 1e3 * quantile(row, quantile);
        }
    }

    /** Checks whether a route has arrived. */
    @FunctionalInterface
    private interface Arrival {
        boolean test(int number) throws IOException, InterruptedException, SQLException;
    }

    Probe(RunningStation station) throws IOException {
        this.station = station;
        socket = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort());
        socket.setTcpNoDelay(true);
        socket.getOutputStream().write(join(initiation(ROUTER), peerUp("192.0.2.77")));
        sender = threads.submit(this::send);
        rib = threads.submit(() -> observe(number ->
                station.get("/api/v1/lookup?address=" + address(number)).contains(address(number) + "/32")));
        rows = threads.submit(this::observeRows);
    }

    private String address(int number) {
        int host = first + number;
        return "198." + (18 + (host >> 16)) + "." + (host >> 8 & 0xFF) + "." + (host & 0xFF);
    }

    private Void send() throws IOException {
        long next = System.nanoTime();
        while (!stopping && sent < sentAt.length) {
            int host = first + sent;
            byte[] route = {32, (byte) 198, (byte) (18 + (host >> 16)), (byte) (host >> 8), (byte) host};
            sentAt[sent] = System.nanoTime();
            socket.getOutputStream().write(monitoring(update(new byte[0], attributes(), route)));
            sent++;
            next += INTERVAL_NANOS;
            LockSupport.parkNanos(next - System.nanoTime());
        }
        return null;
    }

    private List<Double> observeRows() throws Exception {
        try (Connection connection = DriverManager.getConnection(station.jdbcUrl());
                PreparedStatement statement =
                        connection.prepareStatement("SELECT count(*) FROM bmp.rib_route WHERE prefix = ?::cidr")) {
            return observe(number -> {
                statement.setString(1, address(number) + "/32");
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getLong(1) > 0;
                }
            });
        }
    }

    /** Returns the seconds of each route, in the order in which they were sent. */
    private List<Double> observe(Arrival arrival) throws IOException, InterruptedException, SQLException {
        List<Double> latencies = new ArrayList<>();
        long progress = System.nanoTime();
        while (!stopping || latencies.size() < sent) {
            if (System.nanoTime() - progress > LIMIT_NANOS) {
                throw new IOException("route " + latencies.size() + " of the probe has not arrived");
            }
            if (latencies.size() < sent && arrival.test(latencies.size())) {
                progress = System.nanoTime();
                latencies.add((progress - sentAt[latencies.size()]) / 1e9);
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        return latencies;
    }

    /** Runs a phase with a probe beside it, and adds the latencies. */
    static Phase beside(RunningStation station, Callable<Phase> phase) throws Exception {
        try (Probe probe = new Probe(station)) {
            Phase result = phase.call();
            return result.with(probe.stop());
        }
    }

    /** Stops sending, waits until everything has arrived, and returns the latencies of all routes. */
    Latencies stop() throws ExecutionException, InterruptedException {
        stopping = true;
        sender.get();
        NEXT.set(first + sent);
        return latencies(_ -> true);
    }

    /** Returns the latencies of the routes that were sent in a period of {@link System#nanoTime}. Only after a stop. */
    Latencies sentBetween(long from, long to) throws ExecutionException, InterruptedException {
        return latencies(number -> sentAt[number] - from >= 0 && sentAt[number] - to < 0);
    }

    private Latencies latencies(IntPredicate route) throws ExecutionException, InterruptedException {
        return new Latencies(sorted(rib.get(), route), sorted(rows.get(), route));
    }

    private static List<Double> sorted(List<Double> seconds, IntPredicate route) {
        return IntStream.range(0, seconds.size())
                .filter(route)
                .mapToObj(seconds::get)
                .sorted()
                .toList();
    }

    /** Returns NaN if there are no values. */
    static double quantile(List<Double> sorted, double quantile) {
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(quantile * sorted.size())));
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        threads.shutdownNow();
        socket.close();
    }
}
