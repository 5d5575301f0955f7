package dev.silkroute.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A pool of pipelines to a new database of a real PostgreSQL, with one table. */
abstract class PipelineHarness {
    DataSource database;
    PipelinePool pool;

    @BeforeEach
    void open() throws Exception {
        database = TestPostgres.database();
        execute("CREATE TABLE line (id bigint PRIMARY KEY, word text)");
        pool = PipelinePool.open(TestPostgres.url(database), PipelineLimits.DEFAULT);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    void execute(String sql) throws SQLException {
        try (var connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    List<String> lines() throws SQLException {
        return TestPostgres.query(database, "SELECT id, word FROM line ORDER BY id");
    }

    void anotherPipelineIsWell() throws PipelineException {
        Pipeline next = pool.transaction();
        StatementResult answer = next.add("SELECT 41 + $1::int", 1);
        next.send();
        assertThat(answer.row().number(0)).isEqualTo(42);
    }
}
