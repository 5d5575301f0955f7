package dev.silkroute.postgres.pipeline;

import java.time.Duration;

/**
 * Limits of a pool and of its pipelines.
 *
 * @param connections maximum number of connections
 * @param waiting maximum number of callers that wait for a connection; further ones fail at once
 * @param waitLimit how long a caller waits for a connection
 * @param connect how long opening a connection may take
 * @param timeout how long a pipeline may take before it is cancelled
 * @param idle how long an unused connection is kept
 * @param prepared prepared statements that each connection caches
 * @param statements maximum number of statements of a pipeline
 * @param bytes approximate maximum size of a pipeline's parameters
 * @param rows maximum number of rows of all results of a pipeline
 */
public record PipelineLimits(
        int connections,
        int waiting,
        Duration waitLimit,
        Duration connect,
        Duration timeout,
        Duration idle,
        int prepared,
        int statements,
        long bytes,
        long rows) {

    public static final PipelineLimits DEFAULT = new PipelineLimits(
            8,
            256,
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofMinutes(10),
            256,
            20_000,
            64L << 20,
            1_000_000);

    public PipelineLimits {
        if (connections < 1 || waiting < 0 || prepared < 1 || statements < 1 || bytes < 1 || rows < 1) {
            throw new IllegalArgumentException("limits of a timeout must be positive");
        }
    }

    public PipelineLimits withConnections(int most, int mostWaiting, Duration longestWait) {
        return new PipelineLimits(
                most, mostWaiting, longestWait, connect, timeout, idle, prepared, statements, bytes, rows);
    }

    public PipelineLimits withTimeout(Duration limit) {
        return new PipelineLimits(
                connections, waiting, waitLimit, connect, limit, idle, prepared, statements, bytes, rows);
    }

    public PipelineLimits withPrepared(int most) {
        return new PipelineLimits(
                connections, waiting, waitLimit, connect, timeout, idle, most, statements, bytes, rows);
    }

    public PipelineLimits withSize(int mostStatements, long mostBytes, long maxRows) {
        return new PipelineLimits(
                connections, waiting, waitLimit, connect, timeout, idle, prepared, mostStatements, mostBytes, maxRows);
    }
}
