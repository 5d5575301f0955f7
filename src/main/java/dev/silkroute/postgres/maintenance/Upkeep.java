package dev.silkroute.postgres.maintenance;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the tables in shape, step by step: the database says the next one ({@code bmp.next_maintenance_step}), each is a statement
 * of its own, and what is interrupted is found again. One at a time for each database, whoever asks: the others have nothing
 * to do.
 */
public final class Upkeep {
    /** Any number that nobody else locks; of this station's making. */
    private static final long LOCK = 0x73696c6b75706bL;

    /** An index of a day, or a base, may take longer than any other answer is waited for. */
    private static final Duration STEP_LIMIT = Duration.ofHours(12);

    private static final String TRY_LOCK = "SELECT pg_try_advisory_lock(" + LOCK + ")";
    private static final String UNLOCK = "SELECT pg_advisory_unlock(" + LOCK + ")";
    private static final String NEXT = "SELECT step, statement FROM bmp.next_maintenance_step(?, CAST(? AS interval),"
            + " CAST(? AS interval), CAST(? AS interval), CAST(? AS interval), CAST(? AS interval), CAST(? AS interval),"
            + " CAST(? AS interval))";

    private final DataSource database;
    private final UpkeepSettings settings;
    private final Listener listener;
    private @Nullable Statement running;
    private boolean stopped;

    /** Hears of each step; called on the thread that does them. */
    public interface Listener {
        void done(String step, long nanos);

        void failed(String step, SQLException reason);
    }

    private record Step(String name, String statement) {}

    public Upkeep(DataSource database, UpkeepSettings settings, Listener listener) {
        this.database = database;
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Does what is to be done, at most so many steps. A step that fails is told and left for the next run, so that it can't
     * hold up the others.
     *
     * @return how many steps were done
     */
    public int run(int steps) throws SQLException {
        try (Connection connection = database.getConnection()) {
            if (!ask(connection, TRY_LOCK)) {
                return 0;
            }
            try {
                return run(connection, steps);
            } finally {
                ask(connection, UNLOCK);
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
        try (PreparedStatement query = connection.prepareStatement(NEXT)) {
            Array skipped = connection.createArrayOf("text", failed.toArray());
            query.setArray(1, skipped);
            int parameter = 2;
            for (String interval : settings.intervals()) {
                query.setString(parameter++, interval);
            }
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(new Step(row.getString(1), row.getString(2))) : Optional.empty();
            }
        }
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

    private static boolean ask(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            return row.next() && row.getBoolean(1);
        }
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    /** Ends the step that runs, if there is one, and begins no other. From any thread. */
    public synchronized void stop() throws SQLException {
        stopped = true;
        if (running != null) {
            running.cancel();
        }
    }
}
