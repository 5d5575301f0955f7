package dev.silkroute.postgres.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LaneTransactionIT {
    private final DataSource database = TestPostgres.database();
    private final List<String> remembered = new ArrayList<>();

    @BeforeEach
    void table() throws SQLException {
        execute("CREATE TABLE stored (what text PRIMARY KEY)");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private Void insert(LaneTransaction transaction, String what) throws SQLException {
        transaction.afterCommit(() -> remembered.add(what));
        transaction.connection().createStatement().execute("INSERT INTO stored VALUES ('" + what + "')");
        return null;
    }

    private List<String> stored() throws SQLException {
        return TestPostgres.query(database, "SELECT what FROM stored ORDER BY 1");
    }

    @Test
    void whatIsWrittenIsRememberedWhenItIsCommitted() throws SQLException {
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, transaction -> {
                insert(transaction, "a");
                assertThat(remembered).isEmpty();
                return insert(transaction, "b");
            });
            assertThat(connection.getAutoCommit()).isTrue();
        }
        assertThat(remembered).containsExactly("a", "b");
        assertThat(stored()).containsExactly("a", "b");
    }

    @Test
    void whatIsRolledBackIsNeitherThereNorRemembered() throws SQLException {
        try (Connection connection = database.getConnection()) {
            assertThatThrownBy(() -> LaneTransaction.run(connection, transaction -> {
                        insert(transaction, "a");
                        return insert(transaction, "a");
                    }))
                    .isInstanceOf(SQLException.class);
            assertThat(connection.getAutoCommit()).isTrue();
        }
        assertThat(remembered).isEmpty();
        assertThat(stored()).isEmpty();
    }

    @Test
    void aConnectionThatBreaksInABatchIsTheDatabasesProblem() throws SQLException {
        try (Connection connection = database.getConnection()) {
            assertThatThrownBy(() -> LaneTransaction.run(connection, transaction -> {
                        insert(transaction, "a");
                        try (PreparedStatement batch = transaction
                                .connection()
                                .prepareStatement(
                                        "SELECT CASE WHEN ? THEN pg_terminate_backend(pg_backend_pid()) END")) {
                            for (boolean end : new boolean[] {false, true, false}) {
                                batch.setBoolean(1, end);
                                batch.addBatch();
                            }
                            return batch.executeBatch();
                        }
                    }))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(LaneProblem.isTheData(e)).isFalse());
        }
        assertThat(remembered).isEmpty();
        assertThat(stored()).isEmpty();
    }

    @Test
    void aCommitThatFailsIsNotRemembered() throws SQLException {
        execute("CREATE TABLE late (what text REFERENCES stored DEFERRABLE INITIALLY DEFERRED)");
        try (Connection connection = database.getConnection()) {
            assertThatThrownBy(() -> LaneTransaction.run(connection, transaction -> {
                        transaction.connection().createStatement().execute("INSERT INTO late VALUES ('no')");
                        return insert(transaction, "a");
                    }))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(remembered).isEmpty();
        assertThat(stored()).isEmpty();
    }

    @Test
    void aPartThatFailsTakesNothingElseWithIt() throws SQLException {
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, transaction -> {
                transaction.part(part -> insert(part, "a"));
                assertThatThrownBy(() -> transaction.part(part -> {
                            insert(part, "b");
                            return insert(part, "a");
                        }))
                        .isInstanceOf(SQLException.class);
                return transaction.part(part -> insert(part, "c"));
            });
        }
        assertThat(remembered).containsExactly("a", "c");
        assertThat(stored()).containsExactly("a", "c");
    }
}
