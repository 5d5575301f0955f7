package dev.silkroute.postgres.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopiedRowIT {
    @Test
    void valuesOfEveryKindAndNone() throws SQLException {
        List<String> read = new ArrayList<>();
        try (Connection connection = TestPostgres.database().getConnection()) {
            CopiedRow.read(
                    connection,
                    """
                    SELECT (-2)::smallint, 4294967295, -1::bigint, i = 1, repeat('ä', i * 700), decode(repeat('ff', i - 1), 'hex'),
                      CASE WHEN i = 2 THEN ARRAY[16, 1048575] WHEN i = 1 THEN '{}'::integer[] END, NULL::bigint
                    FROM generate_series(1, 3) i ORDER BY i""",
                    row -> read.add(row.integer(1) + " " + row.number(2) + " " + row.number(3) + " " + row.bool(4) + " "
                            + row.text(5).length() + " " + row.bytes(6).length + " "
                            + java.util.Arrays.toString(row.integers(7)) + " " + row.isNull(7) + row.isNull(8)));
        }
        assertThat(read)
                .containsExactly(
                        "-2 4294967295 -1 true 700 0 [] falsetrue",
                        "-2 4294967295 -1 false 1400 1 [16, 1048575] falsetrue",
                        "-2 4294967295 -1 false 2100 2 [] truetrue");
    }

    @Test
    void manyRows() throws SQLException {
        long[] sum = {0, 0};
        try (Connection connection = TestPostgres.database().getConnection()) {
            CopiedRow.read(connection, "SELECT i::bigint FROM generate_series(1, 200000) i", row -> {
                sum[0] += row.number(1);
                sum[1]++;
            });
        }
        assertThat(sum).containsExactly(200_000L * 200_001 / 2, 200_000);
    }

    @Test
    void whatFailsInBetweenIsTheDatabasesErrorOrTheReadersAndTheConnectionGoesOn() throws SQLException {
        try (Connection connection = TestPostgres.database().getConnection()) {
            assertThatThrownBy(() -> CopiedRow.read(
                            connection, "SELECT 100000 / (100000 - i) FROM generate_series(1, 200000) i", row -> {}))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("division by zero");
            assertThatIllegalStateException()
                    .isThrownBy(() -> CopiedRow.read(
                            connection,
                            "SELECT repeat('x', 1000) FROM generate_series(1, 200000)",
                            row -> row.number(1)));
            List<Integer> read = new ArrayList<>();
            CopiedRow.read(connection, "SELECT 7", row -> read.add(row.integer(1)));
            assertThat(read).containsExactly(7);
        }
    }
}
