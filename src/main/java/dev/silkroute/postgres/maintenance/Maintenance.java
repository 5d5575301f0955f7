package dev.silkroute.postgres.maintenance;

import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the tables step by step. The database returns the next step ({@code bmp.next_maintenance_step}); each step
 * is a statement of its own, and an interrupted one is found again. Only one station at a time maintains a database;
 * others find nothing to do.
 */
public final class Maintenance {
    /** The key of the advisory lock. */
    private static final long LOCK = 0x73696c6b75706bL;

    /**
     * Creating an index of a day, or a snapshot, may take longer than any other statement, so a step replaces the
     * socket timeout of its connection. Unlike a lane, maintenance does not send large amounts of data; while it waits
     * for a response, the driver detects that the database does not respond.
     */
    private static final Duration STEP_LIMIT = Duration.ofHours(12);

    private static final String TRY_LOCK = "SELECT pg_try_advisory_lock(" + LOCK + ")";
    private static final String UNLOCK = "SELECT pg_advisory_unlock(" + LOCK + ")";
    /** An index is built by one process, beside which the lanes have the other processors. */
    private static final String ONE_PROCESS = "SET max_parallel_maintenance_workers = 0";

    private static final String RESET = "RESET max_parallel_maintenance_workers";
    private static final String NEXT = "SELECT step, statement FROM bmp.next_maintenance_step(?, CAST(? AS interval),"
            + " CAST(? AS interval), CAST(? AS interval), CAST(? AS interval), CAST(? AS interval), CAST(? AS interval),"
            + " CAST(? AS interval), CAST(? AS interval), CAST(? AS bigint))";

    private final DataSource database;
    private final MaintenanceSettings settings;
    private final Listener listener;
    private @Nullable Statement running;
    private boolean stopped;

    /** Is notified of each step, on the thread that executes it. */
    public interface Listener {
        void done(String step, long nanos);

        void failed(String step, SQLException reason);
    }

    private record Step(String name, String statement) {}

    public Maintenance(DataSource database, MaintenanceSettings settings, Listener listener) {
        this.database = database;
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Executes pending steps, up to a maximum. A step that fails is reported and left for the next run, so that it does
     * not block the others.
     *
     * @return the number of steps executed
     */
    public int run(int steps) throws SQLException {
        try (Connection connection = database.getConnection()) {
            if (!Sql.bool(connection, TRY_LOCK)) {
                return 0;
            }
            try {
                Sql.update(connection, ONE_PROCESS);
                return run(connection, steps);
            } finally {
                Sql.update(connection, RESET);
                Sql.bool(connection, UNLOCK);
            }
        }
    }

    private int run(Connection connection, int steps) throws SQLException {
        Set<String> failed = new TreeSet<>();
        int done = 0;
        while (done < steps && !isStopped()) {
            Optional<Step> next = next(connection, failed);
            if (next.isEmpty()) {
                break;
            }
            Step step = next.get();
            long start = System.nanoTime();
            try {
                execute(connection, step.statement);
                done++;
                listener.done(step.name, System.nanoTime() - start);
            } catch (SQLException e) {
                if (!isStopped()) {
                    listener.failed(step.name, e);
                }
                failed.add(step.name);
            }
        }
        return done;
    }

    private Optional<Step> next(Connection connection, Set<String> failed) throws SQLException {
        List<@Nullable Object> parameters = new ArrayList<>(settings.parameters());
        parameters.addFirst(Sql.array(connection, "text", failed));
        return Sql.first(connection, NEXT, row -> new Step(row.getString(1), row.getString(2)), parameters.toArray());
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            synchronized (this) {
                if (stopped) {
                    return;
                }
                running = statement;
            }
            int usual = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(STEP_LIMIT.toMillis()));
            try {
                statement.execute(sql);
            } finally {
                synchronized (this) {
                    running = null;
                }
                if (!connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, usual);
                }
            }
        }
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    /** Cancels the current step, if any, and prevents further ones. Thread-safe. */
    public synchronized void stop() throws SQLException {
        stopped = true;
        if (running != null) {
            running.cancel();
        }
    }
}
