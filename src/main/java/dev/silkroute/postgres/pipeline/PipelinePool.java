package dev.silkroute.postgres.pipeline;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one database for flights, each of which has one of them to itself while it is in the air. Thread-safe;
 * its callers are virtual threads or others that may wait, never an event loop.
 */
public final class PipelinePool implements AutoCloseable {
    /** A connection that was idle for longer is asked for an answer first: what was cut silently is found out. */
    private static final long ASK_AFTER = TimeUnit.SECONDS.toNanos(30);

    private static final Duration ASK_LIMIT = Duration.ofSeconds(5);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final boolean ownVertx;
    private final PgConnectOptions options;
    private final PipelineLimits limits;
    private final PipelineStatistics statistics = new PipelineStatistics();
    private final Semaphore permits;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Deque<Idle> idle = new ArrayDeque<>();
    private boolean closed;

    /** A connection that nobody uses, and since when. */
    private record Idle(PipelineConnection connection, long since) {}

    private PipelinePool(Vertx vertx, boolean ownVertx, String url, PipelineLimits limits) {
        this.vertx = vertx;
        this.ownVertx = ownVertx;
        this.limits = limits;
        options = ConnectOptions.of(url, limits);
        permits = new Semaphore(limits.connections(), true);
    }

    /** A pool with an event loop of its own. No connection is opened before one is needed. */
    public static PipelinePool open(String jdbcUrl, PipelineLimits limits) {
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false));
        // On a thread of its own: who asks first may be on another event loop, and would be warned of making one more
        Vertx own = CompletableFuture.supplyAsync(() -> Vertx.vertx(options), Thread::startVirtualThread)
                .join();
        return new PipelinePool(own, true, jdbcUrl, limits);
    }

    /** A pool on event loops that are there already, and stay when it is closed. */
    public static PipelinePool open(Vertx vertx, String jdbcUrl, PipelineLimits limits) {
        return new PipelinePool(vertx, false, jdbcUrl, limits);
    }

    /** A flight whose statements are one transaction. */
    public Flight transaction() {
        return new Flight(this, limits, true);
    }

    /** A flight whose statements each succeed or fail by themselves. */
    public Flight independent() {
        return new Flight(this, limits, false);
    }

    public PipelineStatistics statistics() {
        return statistics;
    }

    public PipelineLimits limits() {
        return limits;
    }

    /** Connections that a flight has. */
    public int busy() {
        return limits.connections() - permits.availablePermits();
    }

    public int idle() {
        synchronized (idle) {
            return idle.size();
        }
    }

    /** Callers that wait for a connection. */
    public int waiting() {
        return waiting.get();
    }

    /** Returns if the database answers. */
    public void ping(Duration limit) throws FlightException {
        Flight flight = independent().limit(limit);
        Answer answer = flight.add("SELECT 1");
        flight.send();
        answer.rows();
    }

    void send(Flight flight) throws FlightException {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("a flight is waited for, which an event loop must not");
        }
        long began = System.nanoTime();
        try {
            PipelineConnection connection = take();
            statistics.flights.increment();
            statistics.statements.add(flight.statements().size());
            try {
                new Sender(connection, flight, statistics).send();
            } finally {
                give(connection);
            }
        } catch (FlightException e) {
            statistics.failed.increment();
            if (e.outcome() == Outcome.UNKNOWN) {
                statistics.unknown.increment();
            }
            throw e;
        } finally {
            statistics.nanos.add(System.nanoTime() - began);
        }
    }

    private PipelineConnection take() throws FlightException {
        acquire();
        boolean taken = false;
        try {
            PipelineConnection connection = idleConnection();
            if (connection == null) {
                connection = connect();
            }
            taken = true;
            return connection;
        } finally {
            if (!taken) {
                permits.release();
            }
        }
    }

    private void acquire() throws FlightException {
        if (permits.tryAcquire()) {
            return;
        }
        if (waiting.incrementAndGet() > limits.waiting()) {
            waiting.decrementAndGet();
            statistics.refused.increment();
            throw FlightException.nothing(
                    "all " + limits.connections() + " connections are in use and " + limits.waiting()
                            + " callers wait for one already",
                    "53300",
                    null);
        }
        try {
            if (!permits.tryAcquire(limits.waitLimit().toNanos(), TimeUnit.NANOSECONDS)) {
                statistics.refused.increment();
                throw FlightException.nothing(
                        "no connection became free within " + limits.waitLimit().toMillis() + " ms: all "
                                + limits.connections() + " are in use",
                        "53300",
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw FlightException.nothing("interrupted while waiting for a connection", "57014", e);
        } finally {
            waiting.decrementAndGet();
        }
    }

    private @Nullable PipelineConnection idleConnection() throws FlightException {
        while (true) {
            Idle found;
            synchronized (idle) {
                if (closed) {
                    throw FlightException.nothing("the pool is closed", "08003", null);
                }
                found = idle.pollFirst();
            }
            if (found == null) {
                return null;
            }
            long age = System.nanoTime() - found.since;
            if (!found.connection.isOpen()) {
                statistics.lost.increment();
            } else if (age > limits.idle().toNanos()) {
                found.connection.close();
            } else if (age < ASK_AFTER || answers(found.connection)) {
                return found.connection;
            }
        }
    }

    private boolean answers(PipelineConnection connection) throws FlightException {
        Flight question = independent().limit(ASK_LIMIT);
        question.add("SELECT 1");
        try {
            new Sender(connection, question, statistics).send();
            return true;
        } catch (FlightException e) {
            statistics.lost.increment();
            connection.close();
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return false;
        }
    }

    private PipelineConnection connect() throws FlightException {
        CompletableFuture<PipelineConnection> opening = PipelineConnection.open(vertx, options, limits.prepared());
        String target = options.getHost() + ":" + options.getPort();
        try {
            PipelineConnection connection = opening.get(limits.connect().toNanos(), TimeUnit.NANOSECONDS);
            statistics.opened.increment();
            return connection;
        } catch (ExecutionException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw FlightException.nothing(
                    "cannot connect to PostgreSQL at " + target + ": " + Landing.text(reason),
                    reason instanceof PgException said ? said.getSqlState() : "08001",
                    reason);
        } catch (TimeoutException e) {
            opening.cancel(false);
            throw FlightException.nothing("PostgreSQL at " + target + " does not answer", "08001", e);
        } catch (InterruptedException e) {
            opening.cancel(false);
            Thread.currentThread().interrupt();
            throw FlightException.nothing("interrupted while connecting", "57014", e);
        }
    }

    private void give(PipelineConnection connection) {
        boolean kept;
        synchronized (idle) {
            kept = connection.isOpen() && !closed;
            if (kept) {
                idle.addFirst(new Idle(connection, System.nanoTime()));
            }
            closeOld();
        }
        if (!kept) {
            statistics.lost.increment();
            connection.close();
        }
        permits.release();
    }

    /** Those at the far end were idle longest. */
    private void closeOld() {
        long now = System.nanoTime();
        while (!idle.isEmpty() && now - idle.getLast().since > limits.idle().toNanos()) {
            idle.removeLast().connection.close();
        }
    }

    /** Closes each connection when its flight has landed, and returns when they are closed. */
    @Override
    public void close() {
        List<CompletableFuture<?>> closing = new ArrayList<>();
        synchronized (idle) {
            closed = true;
            idle.forEach(unused -> closing.add(unused.connection.close()));
            idle.clear();
        }
        try {
            // Whoever is in the air lands first, for as long as a flight may take
            if (permits.tryAcquire(limits.connections(), limits.flight().toNanos(), TimeUnit.NANOSECONDS)) {
                permits.release(limits.connections());
            }
            await(CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new)));
            if (ownVertx) {
                await(vertx.close().toCompletionStage().toCompletableFuture());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CompletableFuture<?> end) throws InterruptedException {
        try {
            end.get(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger(PipelinePool.class.getName())
                    .log(System.Logger.Level.DEBUG, "Connections did not close in time", e);
        }
    }
}
