package dev.silkroute.postgres.maintenance;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.RouterLocks;
import dev.silkroute.postgres.withdrawal.WithdrawalOutbox;
import dev.silkroute.postgres.withdrawal.Withdrawals;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Rebuilds the current state from the history, which contains every change: announcements and withdrawals of the
 * routers and the station's own withdrawals. Rows that are already right are not written. The station may run
 * meanwhile: merges wait, at most as long as this takes.
 */
public final class Rebuild {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String LANES = "SELECT to_regclass('bmp.lane_offset') IS NOT NULL";
    private static final String BEHIND = """
        SELECT coalesce(sum(c.next_offset - coalesce(h.next_offset, 0)), 0) FROM bmp.lane_offset c
        LEFT JOIN bmp.lane_offset h ON h.lane = 'history' AND h.topic_id = c.topic_id
          AND h.kafka_partition = c.kafka_partition
        WHERE c.lane = 'current' AND coalesce(h.next_offset, 0) < c.next_offset\
        """;
    private static final int BATCH_SIZE = 5000;

    private final Duration limit;

    /** @param limit how long to wait for pending withdrawals and for the history to reach the offset of the state */
    public Rebuild(Duration limit) {
        this.limit = limit;
    }

    /**
     * The differences between the state and the history.
     *
     * @param routes according to the history
     * @param missing routes that were not there
     * @param extra routes that should not have been there
     * @param different routes whose attributes, labels or markings were others
     */
    public record Result(long routes, long missing, long extra, long different) {}

    /**
     * @param connection in auto-commit mode
     * @throws SQLException also when the history does not come as far in time
     */
    public Result run(Connection connection) throws SQLException {
        long deadline = System.nanoTime() + limit.toNanos();
        // Like the station, but without a limit: a rebuild does not wait for the topic.
        WithdrawalOutbox outbox = WithdrawalOutbox.isEnabled(connection) ? new WithdrawalOutbox(Long.MAX_VALUE) : null;
        Withdrawals withdrawals = new Withdrawals(BATCH_SIZE, () -> true, outbox);
        while (true) {
            withdrawals.purge(connection);
            Result[] result = new Result[1];
            LaneTransaction.run(connection, transaction -> {
                RouterLocks.ownAll(connection);
                if (Sql.number(connection, "SELECT count(*) FROM bmp.rib_ended") == 0) {
                    awaitHistory(connection, deadline);
                    result[0] = rebuild(connection);
                }
                return true;
            });
            if (result[0] != null) {
                return result[0];
            }
            if (System.nanoTime() > deadline) {
                throw new SQLException("routes to withdraw keep appearing because peers go down; try again later");
            }
        }
    }

    /** Waits until the history contains all events that the state contains; otherwise a withdrawal could be undone. */
    private static void awaitHistory(Connection connection, long deadline) throws SQLException {
        if (!Sql.bool(connection, LANES)) {
            return;
        }
        long behind = Sql.number(connection, BEHIND);
        while (behind > 0) {
            if (System.nanoTime() > deadline) {
                throw new SQLException("the history is " + behind + " records of bmp.routes behind the current state");
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted", e);
            }
            behind = Sql.number(connection, BEHIND);
        }
    }

    private static Result rebuild(Connection connection) throws SQLException {
        return Sql.first(
                        connection,
                        "SELECT routes, missing, extra, different FROM bmp.rebuild_state()",
                        row -> new Result(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)))
                .orElseThrow();
    }
}
