package dev.silkroute.postgres;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What becomes of routes with their peers, sessions and tables: state and history together, as both lanes and the sweep leave them. */
class StateIT {
    private static final PeerEntry POST = peer(11, 11, RibView.ADJ_RIB_IN_POST_POLICY);
    private static final PeerEntry OTHER = peer(12, 12, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final int V4 = Family.IPV4_UNICAST;

    private static final String RIB = "SELECT host(peer_address), prefix, med, stale FROM bmp.v_rib"
            + " WHERE rib_view = 'adj-rib-in-pre' ORDER BY 1, 2";
    private static final String HISTORY = "SELECT session_id, sequence, event, prefix, med, synthetic"
            + " FROM bmp.v_route_history ORDER BY session_id, sequence, synthetic DESC, prefix, med";
    private static final String ROWS =
            "SELECT xmin, ctid, prefix FROM bmp.rib_route ORDER BY prefix, peer_id, rib_view";

    private final DataSource database = TestPostgres.database();
    private final DimensionCache dimensions = new DimensionCache(100);
    private final CurrentStateWriter state = new CurrentStateWriter(dimensions, new AttributeSets(1000));
    private final HistoryWriter history = new HistoryWriter(dimensions, new AttributeSets(1000));
    private final Withdrawals withdrawals = new Withdrawals(2, () -> true);

    private long write(TestBatch... batches) throws SQLException {
        List<RouteBatch> list = Arrays.stream(batches).map(TestBatch::build).toList();
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, history.prepare(connection, list)::write);
            return LaneTransaction.run(connection, state.prepare(connection, list)::write);
        }
    }

    private long sweep() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return withdrawals.sweep(connection);
        }
    }

    /** What was withdrawn so far: with peers, after End-of-RIB, of peers not mentioned, of routers away. */
    private List<Long> causes() {
        return Arrays.stream(WithdrawalCause.values())
                .map(withdrawals.statistics()::routes)
                .toList();
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private static TestBatch up(long session, long second) {
        return of(session, second).session(EventKind.SESSION_UP).peerUp(PEER).dump();
    }

    @Test
    void givenAPeerDownThenNoRouteIsThereAtOnceAndTheSweepTellsEachOnce() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce("12.0.0.0/8", 3)
                .announce(OTHER, "10.0.0.0/8", 4)
                .announce(POST, "10.0.0.0/8", 5));
        write(of(1, 1).peerDown(PEER, true));
        assertThat(query("SELECT host(peer_address), prefix, med FROM bmp.v_rib"))
                .containsExactly("192.0.2.12|10.0.0.0/8|4");
        assertThat(query("SELECT count(*) FROM bmp.rib_route")).containsExactly("5");
        assertThat(query("SELECT count(*) FROM bmp.lookup('10.1.1.1')")).containsExactly("1");

        assertThat(sweep()).isEqualTo(4);
        assertThat(query("SELECT count(*) FROM bmp.rib_route")).containsExactly("1");
        assertThat(query("SELECT event, prefix, rib_view, session_id, sequence, received_at = '2026-11-21T08:00:01Z'"
                        + " FROM bmp.v_route_history WHERE synthetic ORDER BY 2, 3 DESC"))
                .containsExactly(
                        "withdraw|10.0.0.0/8|adj-rib-in-pre|1|0|t",
                        "withdraw|10.0.0.0/8|adj-rib-in-post|1|0|t",
                        "withdraw|11.0.0.0/8|adj-rib-in-pre|1|0|t",
                        "withdraw|12.0.0.0/8|adj-rib-in-pre|1|0|t");
        assertThat(sweep()).isZero();
        assertThat(query("SELECT count(*) FROM bmp.rib_ended")).containsExactly("0");
        assertThat(withdrawals.statistics().waitingTables()).isZero();
    }

    @Test
    void givenAPeerThatComesBackBeforeTheSweepThenItsHistoryIsInOrderAndItsRoutesStay() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).announce("12.0.0.0/8", 3));
        // Down and up twice, in one transaction; the second time one route only comes back before the next Peer Down.
        write(of(1, 1).peerDown(PEER, true)
                .peerUp(PEER)
                .dump()
                .announce("10.0.0.0/8", 1)
                .peerDown(PEER, true)
                .peerUp(PEER)
                .announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 9));
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|9|f");
        sweep();
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|9|f");
        assertThat(
                        query(
                                "SELECT prefix, string_agg(event || CASE WHEN synthetic THEN '*' ELSE '' END || coalesce(med, 0),"
                                        + " ' ' ORDER BY received_at, sequence) FROM bmp.v_route_history GROUP BY 1 ORDER BY 1"))
                .containsExactly(
                        "10.0.0.0/8|announce1 withdraw*0 announce1 withdraw*0 announce1",
                        "11.0.0.0/8|announce2 withdraw*0 announce9",
                        "12.0.0.0/8|announce3 withdraw*0");
        assertThat(sweep()).isZero();
    }

    @Test
    void givenALostSessionWhenTheSameTableComesAgainThenNothingIsWrittenAndStaleGoesAwayRouteByRoute()
            throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce("12.0.0.0/8", 3)
                .endOfRib(PEER, V4));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        List<String> rows = query(ROWS);
        List<String> told = query(HISTORY);
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE stale")).containsExactly("3");

        assertThat(write(up(2, 2).announce("11.0.0.0/8", 2).announce("10.0.0.0/8", 1)))
                .isZero();
        assertThat(query(RIB))
                .containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|2|f", "192.0.2.11|12.0.0.0/8|3|t");
        assertThat(write(of(2, 3).dump().announce("12.0.0.0/8", 3).endOfRib(PEER, V4)))
                .isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE stale")).containsExactly("0");
        assertThat(sweep()).isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE stale")).containsExactly("0");
        assertThat(query(ROWS)).isEqualTo(rows);
        assertThat(query(HISTORY)).isEqualTo(told);
        assertThat(query("SELECT (SELECT count(*) FROM bmp.rib_confirmed), (SELECT count(*) FROM bmp.rib_resync)"))
                .containsExactly("0|0");

        // Then: another End-of-RIB of the session takes nothing away, nor does a repetition after it go untold
        write(of(2, 4).endOfRib(PEER, V4).announce("10.0.0.0/8", 1));
        assertThat(sweep()).isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE NOT stale")).containsExactly("3");
        assertThat(query(HISTORY)).hasSize(told.size() + 1);
        write(of(2, 5).session(EventKind.SESSION_DOWN));
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE stale")).containsExactly("3");
    }

    @Test
    void givenAChangedTableThenHistoryHasTheChangesAndWhatIsMissingIsWithdrawnAfterEndOfRib() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce("12.0.0.0/8", 3)
                .announce("2001:db8::/32", 4)
                .endOfRib(PEER, V4));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(up(2, 2).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 7).announce("13.0.0.0/8", 8));
        assertThat(query(RIB))
                .containsExactly(
                        "192.0.2.11|10.0.0.0/8|1|f",
                        "192.0.2.11|11.0.0.0/8|7|f",
                        "192.0.2.11|12.0.0.0/8|3|t",
                        "192.0.2.11|13.0.0.0/8|8|f",
                        "192.0.2.11|2001:db8::/32|4|t");
        write(of(2, 3).endOfRib(PEER, V4));
        assertThat(sweep()).isEqualTo(1);
        // Then: the other family's table isn't through
        assertThat(query(RIB))
                .containsExactly(
                        "192.0.2.11|10.0.0.0/8|1|f",
                        "192.0.2.11|11.0.0.0/8|7|f",
                        "192.0.2.11|13.0.0.0/8|8|f",
                        "192.0.2.11|2001:db8::/32|4|t");
        write(of(2, 4).endOfRib(PEER, 0));
        assertThat(sweep()).isEqualTo(1);
        assertThat(query(RIB))
                .containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|7|f", "192.0.2.11|13.0.0.0/8|8|f");
        assertThat(query("SELECT event, prefix, med, synthetic, sequence, extract(second FROM received_at)::int"
                        + " FROM bmp.v_route_history WHERE session_id = 2 ORDER BY received_at, sequence"))
                .containsExactly(
                        "announce|11.0.0.0/8|7|f|3|2",
                        "announce|13.0.0.0/8|8|f|4|2",
                        "withdraw|12.0.0.0/8|-|t|0|3",
                        "withdraw|2001:db8::/32|-|t|0|4");
    }

    @Test
    void givenARecordThatCantBeReadThenTheOthersAreStoredOneByOneAsTheyWouldBeTogether() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).endOfRib(PEER, V4));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        List<LaneRecord<byte[]>> records = new ArrayList<>();
        for (byte[] record : List.of(
                up(2, 2).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 3).bytes(),
                new byte[] {1, 2, 3},
                of(2, 3).withdraw("11.0.0.0/8").bytes(),
                of(2, 4).dump()
                        .announce("11.0.0.0/8", 3)
                        .announce("12.0.0.0/8", 4)
                        .bytes())) {
            records.add(new LaneRecord<>("bmp.routes-0@" + records.size(), null, record));
        }
        Lane<byte[]> lane = new Lane<>("current", database, null, new RouteLane(state), LaneTiming.DEFAULT);

        lane.write(records, () -> true);

        // Then: what is as it was is not told, and a withdrawal takes away nothing that came after it
        assertThat(query(RIB))
                .containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|3|f", "192.0.2.11|12.0.0.0/8|4|f");
        assertThat(query("SELECT event, prefix, med, received_at::text FROM bmp.v_route_history WHERE session_id = 2"
                        + " ORDER BY received_at, prefix"))
                .extracting(row -> row.substring(0, row.indexOf("|2026")))
                .containsExactly("announce|11.0.0.0/8|3", "announce|11.0.0.0/8|3", "announce|12.0.0.0/8|4");
        assertThat(query("SELECT count(*) FROM bmp.quarantine")).containsExactly("1");
    }

    @Test
    void givenADumpThatIsWithdrawnFromBeforeItIsStoredThenWhatItRepeatsIsNotTold() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).endOfRib(PEER, V4));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        // When both come in one transaction: one route as it was, one that has changed
        write(
                up(2, 2).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 3).endOfRib(PEER, V4),
                of(2, 3).withdraw("10.0.0.0/8").withdraw("11.0.0.0/8"));
        assertThat(query("SELECT event, prefix, med FROM bmp.v_route_history WHERE session_id = 2 ORDER BY 2, 1"))
                .containsExactly("withdraw|10.0.0.0/8|-", "announce|11.0.0.0/8|3", "withdraw|11.0.0.0/8|-");
        assertThat(query(RIB)).isEmpty();
    }

    @Test
    void givenTwoSessionsDumpsInOneRunThenWhatTheOlderHasConfirmedTheNewerConfirmsToo() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 1)
                .announce("12.0.0.0/8", 1)
                .endOfRib(PEER, V4));
        List<String> told = query(HISTORY);
        List<String> byNumber = query("SELECT prefix FROM bmp.rib_route ORDER BY route_id");
        String first = byNumber.get(0);
        String second = byNumber.get(1);
        String third = byNumber.get(2);
        // Given a dump that is broken off, of which one route was stored before the rest
        write(up(2, 1).announce(second, 1));
        // When the rest is stored with the begin of the next session's dump, which repeats a route of the rest
        write(
                of(2, 2).dump().announce(first, 1).announce(third, 1),
                up(3, 3).announce(second, 1).announce(first, 1));
        write(of(3, 4).dump().announce(third, 1).endOfRib(PEER, V4));
        // Then
        assertThat(sweep()).isZero();
        assertThat(query(RIB))
                .containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|1|f", "192.0.2.11|12.0.0.0/8|1|f");
        assertThat(query(HISTORY)).isEqualTo(told);
    }

    @Test
    void givenADumpThatComesAfterANewerSessionHasSpokenThenItIsNeitherStateNorHistory() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).endOfRib(PEER, V4));
        write(up(3, 2).announce("10.0.0.0/8", 1));
        List<String> told = query(HISTORY);
        // When what a session before it said comes late, as by another collector
        write(up(2, 1).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2));
        // Then
        assertThat(query(HISTORY)).isEqualTo(told);
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|f");
        // And what comes with the newer one is told
        write(of(3, 3).dump().announce("11.0.0.0/8", 2));
        assertThat(query(HISTORY)).hasSize(told.size() + 1);
    }

    @Test
    void givenRepetitionsWithinADumpThenEachIsTold() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce("10.0.0.0/8", 1).announce("10.0.0.0/8", 2));
        write(of(1, 1).dump().announce("10.0.0.0/8", 2).endOfRib(PEER, V4).session(EventKind.SESSION_DOWN));
        assertThat(query(HISTORY))
                .containsExactly(
                        "1|0|announce|10.0.0.0/8|2|f",
                        "1|2|announce|10.0.0.0/8|1|f",
                        "1|3|announce|10.0.0.0/8|1|f",
                        "1|4|announce|10.0.0.0/8|2|f");
        // Then: the first one of a new session says nothing new, a second one is a repetition, in another transaction
        // or the same
        write(up(2, 2).announce("10.0.0.0/8", 2));
        assertThat(query(HISTORY)).hasSize(4);
        write(of(2, 3).dump().announce("10.0.0.0/8", 2));
        assertThat(query(HISTORY)).hasSize(5);
        write(up(3, 4).announce("10.0.0.0/8", 2)
                .announce("10.0.0.0/8", 3)
                .withdraw("10.0.0.0/8")
                .announce("10.0.0.0/8", 3));
        assertThat(query("SELECT sequence, event, med FROM bmp.v_route_history WHERE session_id = 3 ORDER BY 1"))
                .containsExactly("3|announce|3", "4|withdraw|-", "5|announce|3");
    }

    @Test
    void givenARouterThatStaysAwayThenItsRoutesAreWithdrawnAfterTheTimeSet() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(of("r2", 1, 0).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 2));
        Duration ever = Duration.ofDays(36_500);
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.live_session SET noted_at = now() - interval '1 hour'");
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(61), ever))
                    .isZero();
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(59), ever))
                    .isEqualTo(1);
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(59), ever))
                    .isZero();
        }
        assertThat(query("SELECT router, stale FROM bmp.v_rib")).containsExactly("r2|f");
        assertThat(sweep()).isEqualTo(1);
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
            connection.createStatement().execute("UPDATE bmp.live_session SET noted_at = now() - interval '1 hour'");
            assertThat(withdrawals.expire(connection, Duration.ofDays(1), Duration.ofMinutes(30)))
                    .isEqualTo(1);
        }
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|t");
        assertThat(sweep()).isEqualTo(1);
    }

    /** Two hours of events wait, and the lane has come to where the router is there again, right before what it then said. */
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
        sweep();
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
                    .execute("UPDATE bmp.live_session SET noted_at = now() - interval '50 minutes'");
            connection.createStatement().execute("UPDATE bmp.stale_look SET at = now() - interval '31 minutes'");
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(49), ever))
                    .isZero();
            assertThat(query("SELECT round(extract(epoch FROM now() - noted_at) / 60) FROM bmp.live_session"))
                    .containsExactly("19");
            // Then: from here on it counts again, and a look that comes a little late is no pause
            connection
                    .createStatement()
                    .execute("UPDATE bmp.live_session SET noted_at = now() - interval '50 minutes'");
            connection.createStatement().execute("UPDATE bmp.stale_look SET at = now() - interval '20 minutes'");
            assertThat(withdrawals.expire(connection, Duration.ofMinutes(49), ever))
                    .isEqualTo(1);
        }
    }

    @Test
    void givenEachCauseThenTheStatisticsTellThemApart() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).announce(OTHER, "10.0.0.0/8", 3));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        // When a table comes again without a route
        write(up(2, 2).announce("10.0.0.0/8", 1));
        write(of(2, 3).endOfRib(PEER, V4));
        sweep();
        assertThat(causes()).containsExactly(0L, 1L, 0L, 0L);
        // When the other peer isn't mentioned for too long
        expire(Duration.ofDays(1), Duration.ofMinutes(30));
        sweep();
        assertThat(causes()).containsExactly(0L, 1L, 1L, 0L);
        // When a peer goes down
        write(of(2, 4).announce("12.0.0.0/8", 1).peerDown(PEER, true));
        sweep();
        assertThat(causes()).containsExactly(2L, 1L, 1L, 0L);
        // When the router stays away
        write(of(2, 5).peerUp(PEER).announce("13.0.0.0/8", 1).session(EventKind.SESSION_DOWN));
        expire(Duration.ofMinutes(30), Duration.ofDays(1));
        sweep();
        assertThat(causes()).containsExactly(2L, 1L, 1L, 1L);
        assertThat(withdrawals.statistics().expiredTables()).isEqualTo(2);
        assertThat(query("SELECT count(*) FROM bmp.v_route_history WHERE synthetic"))
                .containsExactly("5");
    }

    /** As if every router had come or gone an hour ago. */
    private void expire(Duration away, Duration unmentioned) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.live_session SET noted_at = now() - interval '1 hour'");
            assertThat(withdrawals.expire(connection, away, unmentioned)).isEqualTo(1);
        }
    }

    @Test
    void givenACollectorThatBeginsAnewThenItsSessionsOfBeforeAreOverWhateverComesOfThemLater() throws SQLException {
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

    @Test
    void givenValuesOfThirtyTwoBitsThenSyntheticWithdrawalsAndConfirmationsKeepThem() throws SQLException {
        byte[] nlri = concat(hex("ffffffff"), nlri("10.0.0.0/8"));
        write(up(1, 0).announce(PEER, V4, nlri, true, attributes(-1))
                .announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(-1))
                .announce(PEER, Family.VPNV4, hex("60" + "003e81" + "0002fa56ea0b0001" + "0a"), false, attributes(1)));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(up(2, 2).announce(PEER, V4, nlri, true, attributes(-1))
                .announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(-1)));
        assertThat(query("SELECT path_id, med, stale FROM bmp.v_rib ORDER BY 1, 2"))
                .containsExactly("4294967295|4294967295|f", "-|1|t", "-|4294967295|f");
        write(of(2, 3).peerDown(PEER, true));
        sweep();
        assertThat(query("SELECT family, rd, prefix, nlri, path_id, synthetic FROM bmp.v_route_history"
                        + " WHERE event = 'withdraw' ORDER BY 1"))
                .containsExactly(
                        "evpn|-|-|" + MAC_IP_TEXT + " label=5002/80033|-|t",
                        "ipv4-unicast|-|10.0.0.0/8|10.0.0.0/8|4294967295|t",
                        "vpnv4|4200000011:1|10.0.0.0/8|4200000011:1 10.0.0.0/8|-|t");
    }

    @Test
    void givenAStateThatIsWrongWhenItIsRebuiltThenItIsWhatItWasAndOnlyWhatDifferedIsWritten() throws SQLException {
        byte[] huge = new byte[3000];
        new Random(1).nextBytes(huge);
        byte[] nlri = concat(hex("ffffffff"), nlri("10.0.0.0/8"));
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce(OTHER, "2001:db8::/32", 3)
                .announce(PEER, V4, nlri, true, attributes(-1))
                .announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(5))
                .announce(PEER, Family.EVPN, hex(MAC_IP + "0138b1"), false, attributes(5))
                .announce(PEER, Family.BGP_LS, hex(NODE), false, attributes(6))
                .announce(PEER, Family.of(7, 99), huge, false, attributes(7))
                .announce(PEER, Family.VPNV4, hex("60" + "003e81" + "0002fa56ea0b0001" + "0a"), false, attributes(8))
                .announce("12.0.0.0/8", 9)
                .withdraw("12.0.0.0/8")
                .endOfRib(PEER, V4));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(up(2, 2).announce("10.0.0.0/8", 1).endOfRib(PEER, V4));
        sweep();
        String all = "SELECT host(peer_address), rib_view, family, rd, nlri, path_id, med, labels FROM bmp.v_rib"
                + " ORDER BY 1, 2, 3, 4, 5, 6";
        List<String> right = query(all);
        List<String> rows = query(ROWS);
        assertThat(right).hasSize(6);
        try (Connection connection = database.getConnection()) {
            Rebuild rebuild = new Rebuild(Duration.ofSeconds(5));
            assertThat(rebuild.run(connection)).isEqualTo(new Rebuild.Result(6, 0, 0, 0));
            assertThat(query(ROWS)).isEqualTo(rows);

            connection
                    .createStatement()
                    .execute(
                            "UPDATE bmp.rib_route SET attr = (SELECT h FROM bmp.attrs WHERE med = 3) WHERE family = 16388 << 8 | 71;"
                                    + " INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen,"
                                    + " last_changed, attr) SELECT '99.0.0.0/8', '', 0, -1, peer_id, family, rib_view, session_id, first_seen,"
                                    + " last_changed, attr FROM bmp.rib_route WHERE family = 257 LIMIT 1;"
                                    + " DELETE FROM bmp.rib_route WHERE family = 6470");
            assertThat(rebuild.run(connection)).isEqualTo(new Rebuild.Result(6, 1, 1, 1));
            assertThat(query(all)).isEqualTo(right);

            connection.createStatement().execute("TRUNCATE bmp.rib_route, bmp.rib_table");
            assertThat(rebuild.run(connection)).isEqualTo(new Rebuild.Result(6, 6, 0, 0));
            assertThat(query(all)).isEqualTo(right);
        }
        // Then: life goes on with it
        write(of(2, 9).peerDown(PEER, true));
        sweep();
        assertThat(query("SELECT host(peer_address) FROM bmp.v_rib")).containsExactly("192.0.2.12");
    }

    @Test
    void givenAnOlderSessionsLastWordsWhenTheStateIsRebuiltThenWhatTheNewerHasConfirmedStays() throws SQLException {
        // Given: a router that moved to another collector, where one table is through and another comes just now
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce("12.0.0.0/8", 3)
                .announce(OTHER, "10.0.0.0/8", 1)
                .announce(OTHER, "11.0.0.0/8", 1)
                .endOfRib(PEER, V4));
        query(
                "SELECT bmp.apply_peer_events('[{\"event\":\"session-up\",\"collector\":\"c2\",\"router\":\"r1\",\"session_id\":2,"
                        + "\"sequence\":0,\"received_at\":\"2026-11-21T08:01:00Z\"}]')");
        write(up(2, 60).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).endOfRib(PEER, V4));
        sweep();
        write(of(2, 61).peerUp(OTHER).dump().announce(OTHER, "10.0.0.0/8", 1));
        // When: the first one's connection is read to its end
        TestBatch late = of(1, 62);
        for (int i = 0; i < 9; i++) {
            late.session(EventKind.SESSION_UP);
        }
        write(late.withdraw("10.0.0.0/8")
                .announce("11.0.0.0/8", 9)
                .withdraw(OTHER, "10.0.0.0/8")
                .announce("13.0.0.0/8", 1));
        List<String> right = query(RIB);
        assertThat(right)
                .containsExactly(
                        "192.0.2.11|10.0.0.0/8|1|f",
                        "192.0.2.11|11.0.0.0/8|2|f",
                        "192.0.2.12|10.0.0.0/8|1|f",
                        "192.0.2.12|11.0.0.0/8|1|t");
        // Then
        try (Connection connection = database.getConnection()) {
            assertThat(new Rebuild(Duration.ofSeconds(5)).run(connection)).isEqualTo(new Rebuild.Result(4, 0, 0, 0));
        }
        assertThat(query(RIB)).isEqualTo(right);
    }

    /** Unchanged routes cost next to nothing, changed ones no index. */
    @Test
    void givenALargeTableThatComesAgainThenItCostsATenthOfRewritingItAndUpdatesAreHeapOnly() throws SQLException {
        TestBatch first = up(1, 0);
        TestBatch again = up(2, 1);
        TestBatch changed = of(2, 2);
        TestBatch rewritten = of(2, 3);
        for (int i = 0; i < 20_000; i++) {
            String prefix = "10." + (i >> 8) + "." + (i & 255) + ".0/24";
            first.announce(prefix, 1);
            again.announce(prefix, 1);
            if (i % 10 == 0) {
                changed.announce(prefix, 2);
            }
            rewritten.announce(prefix, 3);
        }
        write(first);
        assertThat(walOf(again)).isLessThan(20_000 * 30L);
        String hot =
                "SELECT sum(n_tup_upd), sum(n_tup_hot_upd) FROM pg_stat_user_tables WHERE relname LIKE 'rib_route%'";
        write(changed);
        query("SELECT pg_stat_force_next_flush()");
        org.awaitility.Awaitility.await().untilAsserted(() -> {
            String[] counts = query(hot).getFirst().split("\\|");
            assertThat(Long.parseLong(counts[0])).isEqualTo(2000);
            assertThat(Long.parseLong(counts[1])).isGreaterThan(1900);
        });
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE NOT stale")).containsExactly("20000");
        long wal = walOf(rewritten);
        assertThat(wal).isGreaterThan(20_000 * 100L);
    }

    private long walOf(TestBatch batch) throws SQLException {
        String at = query("SELECT pg_current_wal_insert_lsn()").getFirst();
        write(batch);
        return Long.parseLong(query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '" + at + "')::bigint")
                .getFirst());
    }

    /** Whatever happens in whatever transactions: the state is the router's, and the history told from its beginning leads to it. */
    @Test
    void stateIsTheModelsAndHistoryLeadsToIt() throws SQLException {
        for (long seed = 1; seed <= 12; seed++) {
            DataSource own = TestPostgres.database();
            DimensionCache ids = new DimensionCache(100);
            CurrentStateWriter current = new CurrentStateWriter(ids, new AttributeSets(8));
            HistoryWriter past = new HistoryWriter(ids, new AttributeSets(8));
            Random random = new Random(seed);
            Map<String, Integer> model = new TreeMap<>();
            List<RouteBatch> events = new RandomRouter(random, model).run();
            try (Connection connection = own.getConnection()) {
                for (int from = 0; from < events.size(); ) {
                    int to = Math.min(events.size(), from + 1 + random.nextInt(random.nextBoolean() ? 3 : 80));
                    List<RouteBatch> run = events.subList(from, to);
                    LaneTransaction.run(connection, past.prepare(connection, run)::write);
                    LaneTransaction.run(connection, current.prepare(connection, run)::write);
                    if (random.nextInt(4) == 0) {
                        withdrawals.sweep(connection);
                    }
                    from = to;
                }
                withdrawals.sweep(connection);
            }
            List<String> expected = model.entrySet().stream()
                    .map(route -> route.getKey() + "|" + route.getValue())
                    .toList();
            assertThat(TestPostgres.query(
                            own, "SELECT host(peer_address), rib_view, prefix, med FROM bmp.v_rib ORDER BY 1, 2, 3"))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            Map<String, Integer> replayed = new HashMap<>();
            for (String row : TestPostgres.query(
                    own,
                    "SELECT host(peer_address) || '|' || rib_view || '|' || prefix, event, med, synthetic FROM bmp.v_route_history"
                            + " ORDER BY session_id, received_at, sequence")) {
                String[] parts = row.split("\\|");
                String key = String.join("|", parts[0], parts[1], parts[2]);
                if (parts[3].equals("announce")) {
                    replayed.put(key, Integer.valueOf(parts[4]));
                } else {
                    // Then: a synthetic withdrawal is of a route that was there
                    assertThat(replayed.remove(key) != null || parts[5].equals("f"))
                            .as("seed %d: %s", seed, row)
                            .isTrue();
                }
            }
            assertThat(replayed).as("seed %d", seed).isEqualTo(model);
            assertThat(TestPostgres.query(own, "SELECT count(*) FROM bmp.rib_route"))
                    .containsExactly(Integer.toString(model.size()));
        }
    }

    /** A router of two peers and three tables, with its sessions, dumps, Peer Downs and changes. */
    private static final class RandomRouter {
        private static final List<PeerEntry> TABLES = List.of(PEER, POST, OTHER);

        private final Random random;
        private final Map<String, Integer> model;
        private final Map<String, Long> sessionOf = new HashMap<>();
        private final List<RouteBatch> events = new ArrayList<>();
        private long session;
        private long second;

        RandomRouter(Random random, Map<String, Integer> model) {
            this.random = random;
            this.model = model;
        }

        private TestBatch batch() {
            return of(session, second++);
        }

        List<RouteBatch> run() {
            for (int i = 0; i < 6; i++) {
                session++;
                events.add(batch().session(EventKind.SESSION_UP).build());
                boolean lostInDump = random.nextInt(3) == 0;
                for (PeerEntry peer : List.of(PEER, OTHER)) {
                    events.add(batch().peerUp(peer).build());
                }
                for (PeerEntry table : TABLES) {
                    dump(table, lostInDump);
                }
                if (!lostInDump) {
                    changes();
                }
                if (random.nextBoolean()) {
                    events.add(batch().session(EventKind.SESSION_DOWN).build());
                }
            }
            return events;
        }

        private void dump(PeerEntry table, boolean lost) {
            int routes = random.nextInt(12);
            for (int i = 0; i < routes; i++) {
                route(table, random.nextInt(8) > 0);
            }
            if (!lost) {
                events.add(batch().endOfRib(table, V4).build());
                String prefix = key(table, "");
                model.keySet().removeIf(route -> route.startsWith(prefix) && sessionOf.get(route) < session);
            }
        }

        private void route(PeerEntry table, boolean dump) {
            String prefix = (10 + random.nextInt(6)) + ".0.0.0/8";
            TestBatch batch = dump ? batch().dump() : batch();
            String key = key(table, prefix);
            if (random.nextInt(6) == 0) {
                events.add(batch.withdraw(table, prefix).build());
                model.remove(key);
            } else {
                int med = 1 + random.nextInt(2);
                events.add(batch.announce(table, prefix, med).build());
                model.put(key, med);
                sessionOf.put(key, session);
            }
        }

        private void changes() {
            for (int i = 0; i < 20; i++) {
                PeerEntry table = TABLES.get(random.nextInt(3));
                if (random.nextInt(8) > 0) {
                    route(table, false);
                } else {
                    boolean all = random.nextBoolean();
                    events.add(batch().peerDown(table, all).build());
                    String prefix =
                            all ? key(table, "").substring(0, key(table, "").indexOf('|') + 1) : key(table, "");
                    model.keySet().removeIf(route -> route.startsWith(prefix));
                    if (random.nextBoolean()) {
                        events.add(batch().peerUp(table).build());
                        for (int j = 0; j < 5; j++) {
                            route(table, true);
                        }
                        events.add(batch().endOfRib(table, V4).build());
                    }
                }
            }
        }

        private static String key(PeerEntry table, String prefix) {
            return "192.0.2." + (table.addressLow() & 255) + "|" + table.view().text() + "|" + prefix;
        }
    }
}
