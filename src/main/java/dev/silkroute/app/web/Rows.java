package dev.silkroute.app.web;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Rows of the database as JSON, made by PostgreSQL itself: numbers, arrays and times come as it writes them. */
@Singleton
final class Rows {
    private static final int SECONDS = 10;

    private final DataSource database;

    @Inject
    Rows(DataSource database) {
        this.database = database;
    }

    /** All rows of a query, an array of objects. */
    String array(String query) throws SQLException {
        return one("select coalesce(json_agg(t), '[]') from (" + query + ") t");
    }

    /**
     * Rows of a query with parameters.
     *
     * @param json an array of objects
     * @param last the last row's key, 0 without rows
     */
    record Page(String json, long count, long last) {}

    /** @param key the column by which the query is ordered, descending */
    Page page(String query, String key, @Nullable Object... parameters) throws SQLException {
        var counted =
                "select coalesce(json_agg(t), '[]'), count(*), coalesce(min(t." + key + "), 0) from (" + query + ") t";
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(counted)) {
            statement.setQueryTimeout(SECONDS);
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (var rows = statement.executeQuery()) {
                rows.next();
                return new Page(rows.getString(1), rows.getLong(2), rows.getLong(3));
            }
        }
    }

    /** The one row of a query, an object. */
    String object(String query) throws SQLException {
        return one("select row_to_json(t) from (" + query + ") t");
    }

    private String one(String query) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.setQueryTimeout(SECONDS);
            try (var rows = statement.executeQuery(query)) {
                rows.next();
                return rows.getString(1);
            }
        }
    }
}
