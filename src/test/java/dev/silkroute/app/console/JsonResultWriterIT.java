package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values as a real PostgreSQL sends them, several of which the driver would present in its own way. */
class JsonResultWriterIT {
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            timestamptz '2026-01-02 03:04:05+00'; "2026-01-02T03:04:05Z"
            timestamptz 'infinity';               "infinity"
            timestamp '2026-03-29 02:30:00';      "2026-03-29T02:30:00"
            bytea '\\x0102';                      "\\\\x0102"
            numeric 'NaN';                        "NaN"
            real '0.1';                           0.1
            interval '1 day 02:03:04';            "1 day 02:03:04"
            text 'NULL';                          "NULL"
            json '{"a": 1}';                      {"a": 1}
            true;                                 true""")
    void anArrayElementIsWrittenLikeTheValueItself(String value, String expected) throws Exception {
        String columns = "%1$s AS v, ARRAY[%1$s, NULL] AS a, ARRAY[[%1$s], [%1$s]] AS n".formatted(value);

        assertThat(json("SELECT " + columns))
                .isEqualTo("[\n{\"v\":%1$s,\"a\":[%1$s,null],\"n\":[[%1$s],[%1$s]]}\n]\n".formatted(expected));
    }

    private static String json(String query) throws Exception {
        StringWriter out = new StringWriter();
        try (var connection = TestPostgres.database().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SET TIME ZONE 'UTC'");
            new JsonResultWriter(out).write(statement.executeQuery(query));
        }
        return out.toString();
    }
}
