package dev.silkroute.postgres.dimension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.route.PeerEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
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

    private static PeerEntry peer(int number) {
        return new PeerEntry(1, number, false, 0, 0xC0000201L, 65_001, 1, RibView.LOC_RIB);
    }

    @Test
    void peersAreInsertedTogetherAlsoMoreThanAreCached() throws SQLException {
        List<PeerEntry> all =
                IntStream.range(0, 100).mapToObj(DimensionCacheIT::peer).toList();
        try (Connection connection = database.getConnection()) {
            int router = dimensions.router(connection, "r1", "192.0.2.1");
            int[] none = dimensions.peers(connection, router, all, false);
            assertThat(none).containsOnly(BatchPeers.UNKNOWN);
            int[] some = dimensions.peers(connection, router, all.subList(50, 60), true);
            int[] ids = dimensions.peers(connection, router, all, true);
            assertThat(ids).doesNotHaveDuplicates().hasSize(100);
            assertThat(Arrays.copyOfRange(ids, 50, 60)).isEqualTo(some);
            assertThat(dimensions.peers(connection, router, all, false)).isEqualTo(ids);
        }
    }
}
