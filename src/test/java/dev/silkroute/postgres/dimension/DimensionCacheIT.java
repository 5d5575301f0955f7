package dev.silkroute.postgres.dimension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class DimensionCacheIT {
    private final DataSource database = TestPostgres.database();
    private final AtomicLong now = new AtomicLong();
    private final DimensionCache dimensions = new DimensionCache(10, now::get);

    @Test
    void anIdIsNotMadeWhereItCouldBeRolledBack() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> dimensions.router(connection, "r1", "192.0.2.1"))
                    .isInstanceOf(IllegalStateException.class);
            connection.rollback();
            connection.setAutoCommit(true);
            assertThat(dimensions.router(connection, "r1", "192.0.2.1")).isPositive();
        }
    }

    @Test
    void anIdIsCachedForOneDay() throws SQLException {
        try (Connection connection = database.getConnection()) {
            int first = dimensions.router(connection, "r1", "192.0.2.1");
            connection.createStatement().execute("DELETE FROM bmp.router");
            assertThat(dimensions.router(connection, "r1", "192.0.2.1")).isEqualTo(first);
            now.addAndGet(Duration.ofDays(1).toNanos());
            assertThat(dimensions.router(connection, "r1", "192.0.2.1")).isGreaterThan(first);
        }
    }
}
