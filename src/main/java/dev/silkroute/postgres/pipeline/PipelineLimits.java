package dev.silkroute.postgres.pipeline;

import java.time.Duration;

/**
 * What a pool may take up.
 *
 * @param connections most connections at once
 * @param waiting most callers that wait for one; further ones fail at once
 * @param waitLimit how long a caller waits for a connection
 * @param connect how long it may take to open one
 * @param flight how long a flight may take before it is cancelled
 * @param idle how long an unused connection is kept
 * @param prepared prepared statements that each connection remembers
 * @param statements most statements of a flight
 * @param bytes most bytes of a flight's parameters, about
 * @param rows most rows that a flight's answers may have together
 */
public record PipelineLimits(
        int connections,
        int waiting,
        Duration waitLimit,
        Duration connect,
        Duration flight,
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
            throw new IllegalArgumentException("limits of a pipeline must be positive");
        }
    }

    public PipelineLimits withConnections(int most, int mostWaiting, Duration longestWait) {
        return new PipelineLimits(
                most, mostWaiting, longestWait, connect, flight, idle, prepared, statements, bytes, rows);
    }

    public PipelineLimits withFlight(Duration limit) {
        return new PipelineLimits(
                connections, waiting, waitLimit, connect, limit, idle, prepared, statements, bytes, rows);
    }

    public PipelineLimits withPrepared(int most) {
        return new PipelineLimits(
                connections, waiting, waitLimit, connect, flight, idle, most, statements, bytes, rows);
    }

    public PipelineLimits withSize(int mostStatements, long mostBytes, long mostRows) {
        return new PipelineLimits(
                connections, waiting, waitLimit, connect, flight, idle, prepared, mostStatements, mostBytes, mostRows);
    }
}
