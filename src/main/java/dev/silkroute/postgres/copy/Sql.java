package dev.silkroute.postgres.copy;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executes single statements by JDBC. The values are those of the parameters, in order, and of the types that pgjdbc
 * accepts in {@code setObject}.
 */
public final class Sql {
    private Sql() {}

    /** Reads the row at which a result is positioned. */
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Takes the row at which a result is positioned. */
    @FunctionalInterface
    public interface RowConsumer {
        void accept(ResultSet row) throws SQLException;
    }

    /** Executes a statement that returns no rows, and returns the number of rows that it changed. */
    public static long update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            return statement.executeLargeUpdate();
        }
    }

    /** Passes on each row of a query. */
    public static void query(Connection connection, String sql, RowConsumer each, @Nullable Object... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    each.accept(row);
                }
            }
        }
    }

    /** Returns all rows of a query. */
    public static <T> List<T> list(Connection connection, String sql, RowReader<T> reader, @Nullable Object... values)
            throws SQLException {
        List<T> rows = new ArrayList<>();
        query(connection, sql, row -> rows.add(reader.read(row)), values);
        return rows;
    }

    /** Returns the first row of a query, if it has any. */
    public static <T> Optional<T> first(
            Connection connection, String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(reader.read(row)) : Optional.empty();
            }
        }
    }

    /** Returns the only value of a query for a number. */
    public static long number(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        return first(connection, sql, row -> row.getLong(1), values).orElseThrow();
    }

    /** Returns the only value of a query for a boolean. */
    public static boolean bool(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        return first(connection, sql, row -> row.getBoolean(1), values).orElseThrow();
    }

    /** Sets the parameters of a statement. */
    public static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** Creates a parameter of an array type. */
    public static Array array(Connection connection, String elementType, Collection<?> values) throws SQLException {
        return connection.createArrayOf(elementType, values.toArray());
    }
}
