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

/**
 * Runs queries whose rows PostgreSQL itself converts to JSON, so that numbers, arrays and times appear as the views
 * define them. Thread-safe; blocks the caller.
 */
@Singleton
public final class JsonQueries {
    private static final int TIMEOUT_SECONDS = 10;

    private final DataSource database;
    private final PipelinePool pipeline;

    @Inject
    JsonQueries(DataSource database, PipelinePool pipeline) {
        this.database = database;
        this.pipeline = pipeline;
    }

    /**
     * One page of a query's rows.
     *
     * @param json an array of objects
     * @param last the key of the last row, 0 without rows
     */
    public record Page(String json, long count, long last) {}

    /**
     * Returns one page of a query.
     *
     * @param key the column by which the query is ordered, descending
     */
    public Page page(String query, String key, @Nullable Object... parameters) throws SQLException {
        var counted =
                "select coalesce(json_agg(t), '[]'), count(*), coalesce(min(t." + key + "), 0) from (" + query + ") t";
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(counted)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (var rows = statement.executeQuery()) {
                rows.next();
                return new Page(rows.getString(1), rows.getLong(2), rows.getLong(3));
            }
        }
    }

    /** Returns the only row of each query as an object, all from one snapshot of the database and in one round trip. */
    List<String> objects(String... queries) throws SQLException {
        var transaction = pipeline.transaction().readOnly().statementTimeout(Duration.ofSeconds(TIMEOUT_SECONDS));
        for (var query : queries) {
            transaction.add("select row_to_json(t)::text from (" + query + ") t");
        }
        var objects = new ArrayList<String>();
        for (var result : transaction.send()) {
            objects.add(String.valueOf(result.row().text(0)));
        }
        return objects;
    }
}
