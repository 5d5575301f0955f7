package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.state.TableDumps.Dump;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies routes of table dumps straight into {@code bmp.rib_route} if their view was empty when the dump began and the
 * dump has not contained them before. Such a route has no row, and the merge would insert the same one after looking
 * for it. If the prediction is wrong, the primary key rejects the row ({@link RouteExistsException}), and the
 * transaction is repeated without this class. One transaction long; not thread-safe.
 *
 * <p>Every route of a dump that an event mentions is {@linkplain #isNew added} to the dump, so its first announcement
 * is copied here, and all later events are merged. Therefore copied rows come before merged ones.
 */
final class NewRoutes {
    private static final String TARGET = "bmp.rib_route (" + RouteColumn.list(RouteColumn.KEY, "")
            + ", session_id, generation, first_seen, last_changed, " + RouteColumn.list(RouteColumn.VALUE, "")
            + ", long_nlri)";
    private static final int COLUMN_COUNT = RouteColumn.KEY.size() + RouteColumn.VALUE.size() + 5;
    private static final int COPY_AT = 1 << 20;
    private static final String UNIQUE_VIOLATION = "23505";

    private final Connection connection;
    private final TableDumps dumps;
    private final Map<RibTables.View, @Nullable Dump> taken = new HashMap<>();
    private final CopyBinary rows = new CopyBinary(1 << 14);
    private long copied;
    private long count;

    NewRoutes(Connection connection, TableDumps dumps) {
        this.connection = connection;
        this.dumps = dumps;
    }

    /** A row for a route that was predicted to have none. */
    static final class RouteExistsException extends SQLException {
        private static final long serialVersionUID = 1;

        RouteExistsException(SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause);
        }
    }

    /** Begins a dump into a view that has just ceased to be empty. All earlier changes of it must have been merged. */
    void begin(RibTables.View view, long session) {
        end(view);
        taken.put(view, dumps.begin(view.peer(), view.code(), session, view.generation()));
    }

    /** Ends the dump of one table of a view. */
    void end(RibTables.View view, int family) {
        Dump dump = dump(view);
        if (dump != null) {
            dump.end(family);
        }
    }

    /** Ends the dumps of all tables of a view. */
    void end(RibTables.View view) {
        Dump dump = dump(view);
        if (dump != null) {
            dumps.forget(dump);
            taken.put(view, null);
        }
    }

    private @Nullable Dump dump(RibTables.View view) {
        Dump dump = taken.get(view);
        if (dump == null && !taken.containsKey(view)) {
            dump = dumps.take(view.peer(), view.code());
            taken.put(view, dump);
        }
        return dump;
    }

    /** Adds a route that an event mentions. @return whether the dump has not contained it before */
    boolean isNew(RibTables.View view, RibKey key, long session) {
        Dump dump = dump(view);
        if (dump == null) {
            return false;
        }
        if (!dump.is(session, view.generation())) {
            end(view);
            return false;
        }
        return dump.add(key);
    }

    /** Adds the row of a new route. */
    void add(RibKey key, RouteFold.Announcement route) throws SQLException {
        rows.row(COLUMN_COUNT);
        key.write(rows);
        rows.int8(route.session);
        rows.int4(route.generation);
        rows.timestamp(route.receivedAt);
        rows.timestamp(route.receivedAt);
        route.writeValue(key.family(), rows);
        if (key.isWhole(route.nlri)) {
            rows.nullField();
        } else {
            rows.bytea(route.nlri, 0, route.nlri.length);
        }
        count++;
        if (rows.length() >= COPY_AT) {
            copy();
        }
    }

    /** Copies the rows that have been added and not yet copied. */
    void copy() throws SQLException {
        if (rows.length() == 0) {
            return;
        }
        try (CopyTable copy = CopyTable.into(connection, TARGET)) {
            copy.rows(rows);
            copy.finish();
        } catch (SQLException e) {
            throw UNIQUE_VIOLATION.equals(e.getSQLState()) ? new RouteExistsException(e) : e;
        }
        rows.clear();
        copied += count;
        count = 0;
    }

    /** The number of copied rows. */
    long copied() {
        return copied;
    }

    /** Ends the transaction's use of its dumps. @param predicted false if a prediction was wrong */
    void close(boolean predicted) {
        for (Dump dump : taken.values()) {
            if (dump != null && predicted) {
                dumps.giveBack(dump);
            } else if (dump != null) {
                dumps.forget(dump);
            }
        }
        taken.clear();
    }
}
