package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class CsvResultWriterIT {
    @Test
    void quotesOnlyFieldsThatNeedIt() throws Exception {
        assertThat(csv("""
                SELECT * FROM (VALUES
                  (1, 'plain text'), (2, 'a,b'), (3, 'the "x"'), (4, E'two\\nlines'), (5, E'two\\rparts'),
                  (6, 'longer than twenty-four characters'), (7, 'žluť 𝄞')) t (n, "a ""label""\")
                """)).isEqualTo("""
                n,"a ""label""\"
                1,plain text
                2,"a,b"
                3,"the ""x""\"
                4,"two
                lines"
                5,"two\rparts"
                6,longer than twenty-four characters
                7,žluť 𝄞
                """);
    }

    @Test
    void nullsAreEmptyFieldsAndEmptyStringsAreQuoted() throws Exception {
        assertThat(csv("SELECT NULL AS a, '' AS b, NULL AS c")).isEqualTo("a,b,c\n,\"\",\n");
        assertThat(csv("SELECT '' AS a, NULL AS b")).isEqualTo("a,b\n\"\",\n");
    }

    @Test
    void columnsOfTheSameNameAreAllWritten() throws Exception {
        assertThat(csv("SELECT 1 AS a, 2 AS a")).isEqualTo("a,a\n1,2\n");
    }

    @Test
    void aResultWithoutRowsHasItsHeader() throws Exception {
        assertThat(csv("SELECT 1 AS a WHERE false")).isEqualTo("a\n");
    }

    private static String csv(String query) throws Exception {
        StringWriter out = new StringWriter();
        try (var connection = TestPostgres.database().getConnection();
                var statement = connection.createStatement()) {
            new CsvResultWriter(out).write(statement.executeQuery(query));
        }
        return out.toString();
    }
}
