package dev.silkroute.postgres.lane;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.postgresql.jdbc.PgConnection;

/**
 * Aborts a connection when its work takes too long, or continues for some seconds after it is no longer wanted. Neither
 * a write to a socket nor a read without a timeout ends by itself while the peer is silent, so another thread has to
 * close the connection: one thread for all.
 */
final class Watch implements AutoCloseable {
    /** The time for which work may continue after it is no longer wanted. */
    static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration CANCELING = Duration.ofSeconds(1);
    private static final System.Logger LOGGER = System.getLogger(Watch.class.getName());
    private static final ScheduledThreadPoolExecutor THREAD = thread();

    private final Connection connection;
    private final BooleanSupplier wanted;
    private final long deadline;
    private final Future<?> look;
    private long unwantedSince;
    private volatile boolean tookTooLong;

    private Watch(Connection connection, Duration limit, BooleanSupplier wanted) {
        this.connection = connection;
        this.wanted = wanted;
        deadline = System.nanoTime() + limit.toNanos();
        look = THREAD.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private static ScheduledThreadPoolExecutor thread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
                1, work -> Thread.ofPlatform().daemon().name("silkroute-watch").unstarted(work));
        thread.setRemoveOnCancelPolicy(true);
        return thread;
    }

    /** Watches the driver's connection until closed; aborting a pool's wrapper might not close the socket. */
    static Watch over(Connection connection, Duration limit, BooleanSupplier wanted) throws SQLException {
        Connection own =
                connection.isWrapperFor(PgConnection.class) ? connection.unwrap(PgConnection.class) : connection;
        return new Watch(own, limit, wanted);
    }

    private void look() {
        long now = System.nanoTime();
        if (now - deadline >= 0) {
            tookTooLong = true;
            cut("takes too long");
        } else if (wanted.getAsBoolean()) {
            unwantedSince = 0;
        } else if (unwantedSince == 0) {
            unwantedSince = now;
        } else if (now - unwantedSince >= GRACE.toNanos()) {
            cut("did not end after the stop");
        }
    }

    private void cut(String why) {
        LOGGER.log(System.Logger.Level.WARNING, "A transaction {0}: aborting its connection", why);
        look.cancel(false);
        cancel();
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A connection could not be aborted: {0}", e.toString());
        }
    }

    /**
     * Asks the server to cancel the statement. The server does not notice that the client has disappeared: it would
     * continue the statement, and the next attempt would wait for its locks. The request uses another connection, which
     * may hang as well, so this method waits only briefly.
     */
    private void cancel() {
        if (!(connection instanceof PgConnection own)) {
            return;
        }
        Thread canceling = Thread.ofPlatform().daemon().name("silkroute-cancel").start(() -> {
            try {
                own.cancelQuery();
            } catch (SQLException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "A statement could not be canceled: {0}", e.toString());
            }
        });
        try {
            canceling.join(CANCELING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the limit was exceeded and the connection aborted. */
    boolean tookTooLong() {
        return tookTooLong;
    }

    @Override
    public void close() {
        look.cancel(false);
    }
}
