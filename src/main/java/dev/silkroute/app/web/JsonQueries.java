package dev.silkroute.app.web;

import dev.silkroute.postgres.pipeline.PipelinePool;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs queries whose rows PostgreSQL itself converts to JSON, so that numbers, arrays and times appear as the views
 * define them. Thread-safe; blocks the caller.
 */
@Singleton
final class JsonQueries {
    private static final int TIMEOUT_SECONDS = 10;

    private final PipelinePool pipeline;

    @Inject
    JsonQueries(PipelinePool pipeline) {
        this.pipeline = pipeline;
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
