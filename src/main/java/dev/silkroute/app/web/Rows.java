package dev.silkroute.app.web;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import javax.sql.DataSource;

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
