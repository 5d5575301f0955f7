package dev.silkroute.app.web;

import dev.silkroute.postgres.pipeline.PipelinePool;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Rows of the database as JSON, made by PostgreSQL itself: numbers, arrays and times come as it writes them. */
@Singleton
final class Rows {
    private static final int SECONDS = 10;

    private final DataSource database;
    private final PipelinePool pipeline;

    @Inject
    Rows(DataSource database, PipelinePool pipeline) {
        this.database = database;
        this.pipeline = pipeline;
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

    /** The one row of each of these queries, an object: all of one state of the database, in one round trip. */
    List<String> objects(String... queries) throws SQLException {
        var flight = pipeline.transaction().readOnly().statementTimeout(Duration.ofSeconds(SECONDS));
        for (var query : queries) {
            flight.add("select row_to_json(t)::text from (" + query + ") t");
        }
        var objects = new ArrayList<String>();
        for (var answer : flight.send()) {
            objects.add(String.valueOf(answer.row().text(0)));
        }
        return objects;
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
