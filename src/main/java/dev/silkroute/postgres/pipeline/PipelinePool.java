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
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one database. A pipeline has a connection to itself while it is executed. Thread-safe; callers block,
 * so they must not be event loops. Virtual threads are best.
 *
 * <p>The pool of the Vert.x client returns a wrapper for each use, which prepared statements do not outlive; nor does
 * it validate idle connections or support {@code targetServerType}.
 */
public final class PipelinePool implements AutoCloseable {
    /** A connection that has been idle for longer is validated first, in case it was cut silently. */
    private static final long VALIDATE_AFTER = TimeUnit.SECONDS.toNanos(30);

    private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final boolean ownVertx;
    private final ConnectOptions options;
    private final PipelineLimits limits;
    private final PipelineStatistics statistics = new PipelineStatistics();
    private final Semaphore permits;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Deque<Idle> idle = new ArrayDeque<>();
    private boolean closed;

    /** An unused connection, and since when it is unused. */
    private record Idle(PipelineConnection connection, long since) {}

    private PipelinePool(Vertx vertx, boolean ownVertx, String url, PipelineLimits limits) {
        this.vertx = vertx;
        this.ownVertx = ownVertx;
        this.limits = limits;
        options = ConnectOptions.of(url, limits);
        permits = new Semaphore(limits.connections(), true);
    }

    /** Opens a pool with an event loop of its own. Connections are opened when they are needed. */
    public static PipelinePool open(String jdbcUrl, PipelineLimits limits) {
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false));
        // On a separate thread: Vert.x warns if an event loop thread creates another instance.
        Vertx own = CompletableFuture.supplyAsync(() -> Vertx.vertx(options), Thread::startVirtualThread)
                .join();
        return new PipelinePool(own, true, jdbcUrl, limits);
    }

    /** Opens a pool on existing event loops, which remain when it is closed. */
    public static PipelinePool open(Vertx vertx, String jdbcUrl, PipelineLimits limits) {
        return new PipelinePool(vertx, false, jdbcUrl, limits);
    }

    /** Creates a pipeline whose statements are one transaction. */
    public Pipeline transaction() {
        return new Pipeline(this, limits, true);
    }

    /** Creates a pipeline whose statements succeed or fail independently. */
    public Pipeline independent() {
        return new Pipeline(this, limits, false);
    }

    public PipelineStatistics statistics() {
        return statistics;
    }

    public PipelineLimits limits() {
        return limits;
    }

    /** The number of connections in use. */
    public int busy() {
        return limits.connections() - permits.availablePermits();
    }

    public int idle() {
        synchronized (idle) {
            return idle.size();
        }
    }

    /** The number of callers that wait for a connection. */
    public int waiting() {
        return waiting.get();
    }

    /** Returns normally if the database responds in time. */
    public void ping(Duration limit) throws PipelineException {
        Pipeline pipeline = independent().limit(limit);
        StatementResult answer = pipeline.add("SELECT 1");
        pipeline.send();
        answer.rows();
    }

    void send(Pipeline pipeline) throws PipelineException {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("an event loop must not wait for a pipeline");
        }
        long began = System.nanoTime();
        try {
            PipelineConnection connection = take();
            statistics.pipelines.increment();
            statistics.statements.add(pipeline.statements().size());
            try {
                new PipelineSender(connection, pipeline, statistics).send();
            } finally {
                give(connection);
            }
        } catch (PipelineException e) {
            statistics.failed.increment();
            if (e.outcome() == PipelineOutcome.UNKNOWN) {
                statistics.unknown.increment();
            }
            throw e;
        } finally {
            statistics.nanos.add(System.nanoTime() - began);
        }
    }

    private PipelineConnection take() throws PipelineException {
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

    private void acquire() throws PipelineException {
        if (permits.tryAcquire()) {
            return;
        }
        if (waiting.incrementAndGet() > limits.waiting()) {
            waiting.decrementAndGet();
            statistics.rejected.increment();
            throw PipelineException.nothing(
                    "all " + limits.connections() + " connections are in use and " + limits.waiting()
                            + " callers are already waiting",
                    "53300",
                    null);
        }
        try {
            if (!permits.tryAcquire(limits.waitLimit().toNanos(), TimeUnit.NANOSECONDS)) {
                statistics.rejected.increment();
                throw PipelineException.nothing(
                        "no connection became free within " + limits.waitLimit().toMillis() + " ms: all "
                                + limits.connections() + " are in use",
                        "53300",
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PipelineException.nothing("interrupted while waiting for a connection", "57014", e);
        } finally {
            waiting.decrementAndGet();
        }
    }

    private @Nullable PipelineConnection idleConnection() throws PipelineException {
        while (true) {
            Idle found;
            synchronized (idle) {
                if (closed) {
                    throw PipelineException.nothing("the pool is closed", "08003", null);
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
            } else if (age < VALIDATE_AFTER || answers(found.connection)) {
                return found.connection;
            }
        }
    }

    private boolean answers(PipelineConnection connection) throws PipelineException {
        Pipeline validation = independent().limit(VALIDATION_TIMEOUT);
        validation.add("SELECT 1");
        try {
            new PipelineSender(connection, validation, statistics).send();
            return true;
        } catch (PipelineException e) {
            statistics.lost.increment();
            connection.close();
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return false;
        }
    }

    /** Connects to the first host of the URL that is reachable and has the required role. */
    private PipelineConnection connect() throws PipelineException {
        PipelineException failure = null;
        for (PgConnectOptions host : options.hosts()) {
            try {
                PipelineConnection connection = connect(host);
                if (hasRole(connection)) {
                    return connection;
                }
                connection.close();
                throw PipelineException.nothing(
                        "PostgreSQL at " + target(host) + " is not a "
                                + options.role().name().toLowerCase(Locale.ROOT)
                                + " server, which targetServerType requires",
                        "08001",
                        null);
            } catch (PipelineException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
                if (Thread.currentThread().isInterrupted()) {
                    break;
                }
            }
        }
        throw Objects.requireNonNull(failure);
    }

    private boolean hasRole(PipelineConnection connection) throws PipelineException {
        if (options.role() == ServerRole.ANY) {
            return true;
        }
        Pipeline query = independent().limit(VALIDATION_TIMEOUT);
        StatementResult recovery = query.add("SELECT pg_is_in_recovery()");
        new PipelineSender(connection, query, statistics).send();
        boolean standby = Boolean.TRUE.equals(recovery.row().value(0));
        return standby == (options.role() == ServerRole.STANDBY);
    }

    private static String target(PgConnectOptions host) {
        return host.getHost() + ":" + host.getPort();
    }

    private PipelineConnection connect(PgConnectOptions host) throws PipelineException {
        CompletableFuture<PipelineConnection> opening = PipelineConnection.open(vertx, host, limits.prepared());
        String target = target(host);
        try {
            PipelineConnection connection = opening.get(limits.connect().toNanos(), TimeUnit.NANOSECONDS);
            statistics.opened.increment();
            return connection;
        } catch (ExecutionException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw PipelineException.nothing(
                    "cannot connect to PostgreSQL at " + target + ": " + PipelineResult.text(reason),
                    reason instanceof PgException error ? error.getSqlState() : "08001",
                    reason);
        } catch (TimeoutException e) {
            opening.cancel(false);
            throw PipelineException.nothing("PostgreSQL at " + target + " does not respond", "08001", e);
        } catch (InterruptedException e) {
            opening.cancel(false);
            Thread.currentThread().interrupt();
            throw PipelineException.nothing("interrupted while connecting", "57014", e);
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

    /** Closes the connections that have been idle for too long; the last ones have been idle longest. */
    private void closeOld() {
        long now = System.nanoTime();
        while (!idle.isEmpty() && now - idle.getLast().since > limits.idle().toNanos()) {
            idle.removeLast().connection.close();
        }
    }

    /** Closes each connection when its pipeline has completed, and returns when all are closed. */
    @Override
    public void close() {
        List<CompletableFuture<?>> closing = new ArrayList<>();
        synchronized (idle) {
            closed = true;
            idle.forEach(unused -> closing.add(unused.connection.close()));
            idle.clear();
        }
        try {
            // Waits for pipelines in progress, for as long as one may take.
            if (permits.tryAcquire(limits.connections(), limits.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
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
