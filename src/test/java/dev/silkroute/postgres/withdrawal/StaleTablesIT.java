package dev.silkroute.postgres.withdrawal;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.postgres.state.StateHarness;
import dev.silkroute.route.EventKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables and sessions that end by a timeout, or by an event of another session. */
class StaleTablesIT extends StateHarness {
    /** What was withdrawn so far: with peers, after End-of-RIB, of peers not mentioned, of disconnected routers. */
    private List<Long> causes() {
        return Arrays.stream(WithdrawalCause.values())
                .map(withdrawals.statistics()::routes)
                .toList();
    }

    @Test
    void givenARouterThatStaysDownThenItsRoutesAreWithdrawnAfterTheTimeSet() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(of("r2", 1, 0).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 2));
        Duration ever = Duration.ofDays(36_500);
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.live_session SET recorded_at = now() - interval '1 hour'");
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(61), ever))
                    .isZero();
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(59), ever))
                    .isEqualTo(1);
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(59), ever))
                    .isZero();
        }
        assertThat(query("SELECT router, stale FROM bmp.v_rib")).containsExactly("r2|f");
        assertThat(purge()).isEqualTo(1);
        assertThat(query("SELECT event, prefix, router, session_id FROM bmp.v_route_history WHERE synthetic"))
                .containsExactly("withdraw|10.0.0.0/8|r1|1");
        // Then: when it comes back after all, its routes are new
        write(up(2, 9).announce("10.0.0.0/8", 1));
        assertThat(query("SELECT count(*) FROM bmp.v_route_history WHERE session_id = 2"))
                .containsExactly("1");
    }

    @Test
    void givenAPeerThatANewSessionDoesNotMentionThenItsRoutesAreWithdrawnAfterTheTimeSet() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce(OTHER, "10.0.0.0/8", 2));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(up(2, 2));
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.live_session SET recorded_at = now() - interval '1 hour'");
            assertThat(withdrawals.expire(connection, Duration.ofDays(1), Duration.ofMinutes(30)))
                    .isEqualTo(1);
        }
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|t");
        assertThat(purge()).isEqualTo(1);
    }

    /**
     * Two hours of events wait, and the lane has come to where the router is there again, right before its next events.
     */
    @Test
    void givenALaneThatIsBehindThenNothingIsWithdrawnOfWhatTheRouterHasAnnouncedSince() throws SQLException {
        long ago = Instant.now().getEpochSecond() - EIGHT / 1_000_000 - 7200;
        write(up(1, ago).dump().announce("10.0.0.0/8", 1).endOfRib(PEER, V4));
        write(of(1, ago + 10).session(EventKind.SESSION_DOWN), of(2, ago + 11).session(EventKind.SESSION_UP));
        try (Connection connection = database.getConnection()) {
            assertThat(withdrawals.expire(connection, Duration.ofHours(24), Duration.ofMinutes(30)))
                    .isZero();
        }
        write(of(2, ago + 12).session(EventKind.SESSION_DOWN));
        write(of("", 3, ago + 13).collectorStart());
        try (Connection connection = database.getConnection()) {
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(30), Duration.ofMinutes(30)))
                    .isZero();
        }
        write(up(4, ago + 14).dump().announce("10.0.0.0/8", 1).endOfRib(PEER, V4));
        purge();
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|f");
        assertThat(query("SELECT event, session_id FROM bmp.v_route_history")).containsExactly("announce|1");
    }

    /** The database, or all writers: what came meanwhile is still to be read. */
    @Test
    void givenThatNobodyLookedForSomeTimeThenThatTimeDoesNotCount() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).session(EventKind.SESSION_DOWN));
        Duration ever = Duration.ofDays(36_500);
        try (Connection connection = database.getConnection()) {
            connection
                    .createStatement()
                    .execute("UPDATE bmp.live_session SET recorded_at = now() - interval '50 minutes'");
            connection
                    .createStatement()
                    .execute("UPDATE bmp.stale_check SET checked_at = now() - interval '31 minutes'");
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(49), ever))
                    .isZero();
            assertThat(query("SELECT round(extract(epoch FROM now() - recorded_at) / 60) FROM bmp.live_session"))
                    .containsExactly("19");
            // Then: from here on it counts again, and a look that comes a little late is no pause
            connection
                    .createStatement()
                    .execute("UPDATE bmp.live_session SET recorded_at = now() - interval '50 minutes'");
            connection
                    .createStatement()
                    .execute("UPDATE bmp.stale_check SET checked_at = now() - interval '20 minutes'");
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(49), ever))
                    .isEqualTo(1);
        }
    }

    @Test
    void givenEachCauseThenTheStatisticsCountThemSeparately() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).announce(OTHER, "10.0.0.0/8", 3));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        // When a table comes again without a route
        write(up(2, 2).announce("10.0.0.0/8", 1));
        write(of(2, 3).endOfRib(PEER, V4));
        purge();
        assertThat(causes()).containsExactly(0L, 1L, 0L, 0L);
        // When the resync timeout of the other peer has passed
        expire(Duration.ofDays(1), Duration.ofMinutes(30));
        purge();
        assertThat(causes()).containsExactly(0L, 1L, 1L, 0L);
        // When a peer goes down
        write(of(2, 4).announce("12.0.0.0/8", 1).peerDown(PEER, true));
        purge();
        assertThat(causes()).containsExactly(2L, 1L, 1L, 0L);
        // When the router stays disconnected
        write(of(2, 5).peerUp(PEER).announce("13.0.0.0/8", 1).session(EventKind.SESSION_DOWN));
        expire(Duration.ofMinutes(30), Duration.ofDays(1));
        purge();
        assertThat(causes()).containsExactly(2L, 1L, 1L, 1L);
        assertThat(withdrawals.statistics().expiredTables()).isEqualTo(2);
        assertThat(query("SELECT count(*) FROM bmp.v_route_history WHERE synthetic"))
                .containsExactly("5");
    }

    /** As if every router had come or gone an hour ago. */
    private void expire(Duration staleTimeout, Duration resyncTimeout) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.live_session SET recorded_at = now() - interval '1 hour'");
            assertThat(withdrawals.expire(connection, staleTimeout, resyncTimeout))
                    .isEqualTo(1);
        }
    }

    @Test
    void givenACollectorThatRestartsThenItsSessionsOfBeforeAreOverWhateverComesOfThemLater() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1));
        write(of("", 5, 1).collectorStart());
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|t");
        write(of("r2", 2, 2).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 1));
        write(of("r2", 6, 3).session(EventKind.SESSION_UP).announce("11.0.0.0/8", 1));
        write(of("r3", 3, 2).session(EventKind.SESSION_UP).announce("12.0.0.0/8", 1));
        assertThat(query("SELECT router, prefix, stale FROM bmp.v_rib ORDER BY 1, 2"))
                .containsExactly("r1|10.0.0.0/8|t", "r2|10.0.0.0/8|t", "r2|11.0.0.0/8|f", "r3|12.0.0.0/8|t");
        assertThat(query("SELECT count(*) FROM bmp.router")).containsExactly("3");
    }

    /**
     * Maintenance removes a day that is older than the history is kept, and a writer that is behind has more of it.
     */
    @Test
    void givenADayThatTheHistoryHasForgottenThenWithdrawalsOfItAreWrittenStill() throws SQLException {
        // Given
        write(up(1, 0).announce("10.0.0.0/8", 1).announce(OTHER, "10.0.0.0/8", 2));
        write(of(1, 1).peerDown(PEER, true));
        assertThat(purge()).isEqualTo(1);
        try (Connection connection = database.getConnection()) {
            connection
                    .createStatement()
                    .execute("DROP TABLE bmp."
                            + query("SELECT name FROM bmp.history_partitions() ORDER BY day")
                                    .getFirst());
        }

        // When
        write(of(1, 2).peerDown(OTHER, true));
        assertThatThrownBy(this::purge).hasMessageContaining("no partition");

        // Then: the next turn makes the day again
        assertThat(purge()).isEqualTo(1);
        assertThat(query("SELECT peer_address, event FROM bmp.v_route_history")).containsExactly("192.0.2.12|withdraw");
    }
}
