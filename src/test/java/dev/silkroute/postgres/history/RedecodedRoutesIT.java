package dev.silkroute.postgres.history;

import static dev.silkroute.postgres.TestBatch.PEER;
import static dev.silkroute.postgres.TestBatch.of;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.maintenance.Rebuild;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.postgres.withdrawal.Withdrawals;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * A route that was decoded again ends with its table, though the state never had it: where that has ended before, and
 * where it ends later.
 */
class RedecodedRoutesIT {
    private static final int V4 = Family.IPV4_UNICAST;
    private static final String LIVING = "SELECT prefix FROM bmp.rib_at(%s) ORDER BY 1";
    private static final String NOW = "now()";
    private static final String SYNTHETIC = "SELECT session_id, sequence, received_at - '2026-11-21 08:00+00', prefix"
            + " FROM bmp.v_route_history WHERE synthetic ORDER BY 1, 2, 4";

    private final DataSource database = TestPostgres.database();
    private final DimensionCache dimensions = new DimensionCache(100);
    private final AttributeSets sets = new AttributeSets(1000);

    private void write(TestBatch... batches) throws SQLException {
        List<RouteBatch> list = Arrays.stream(batches).map(TestBatch::build).toList();
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(
                    connection, new HistoryWriter(dimensions, sets).prepareBatches(connection, list)::write);
            LaneTransaction.run(
                    connection, new CurrentStateWriter(dimensions, sets).prepareBatches(connection, list)::write);
            new Withdrawals(100, () -> true).purge(connection);
        }
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    /** What the lane of peers and sessions stores. */
    private void event(String event, long session, long sequence, int second) throws SQLException {
        query(
                ("SELECT bmp.apply_peer_events('[{\"event\":\"%s\",\"collector\":\"c1\",\"router\":\"r1\",\"router_address\":\"192.0.2.1\","
                                + "\"session_id\":%d,\"sequence\":%d,\"received_at\":\"2026-11-21T08:00:%02dZ\",\"peer_type\":\"global\","
                                + "\"peer_distinguisher\":\"0000000000000000\",\"peer_address\":\"192.0.2.11\",\"peer_asn\":4200000011,"
                                + "\"peer_bgp_id\":\"10.0.0.11\",\"rib_view\":\"adj-rib-in-pre\",\"all_views\":true}]')")
                        .formatted(event, session, sequence, second));
    }

    private Rebuild.Result rebuild() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return new Rebuild(Duration.ofSeconds(5)).run(connection);
        }
    }

    /** Announcements that could not be decoded at ten seconds past, between others of the same session. */
    private static TestBatch redecoded() {
        return of(1, 10)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .announce("12.0.0.0/8", 9)
                .announce("2001:db8::/32", 9)
                .announce("13.0.0.0/8", 9)
                .withdraw("13.0.0.0/8")
                .redecoded();
    }

    private static TestBatch down(int second) {
        TestBatch down = of(1, second);
        for (int i = 0; i < 10; i++) {
            down.session(EventKind.SESSION_UP);
        }
        return down.peerDown(PEER, true);
    }

    @Test
    void givenAPeerThatWentDownThenItsRoutesEndedThere() throws SQLException {
        // Given
        event("session-up", 1, 0, 0);
        write(of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER).announce("11.0.0.0/8", 2));
        event("peer-down", 1, 10, 20);
        write(down(20));

        // When: more than once
        write(redecoded());
        write(redecoded(), redecoded());

        // Then
        assertThat(query(SYNTHETIC))
                .containsExactly("1|10|00:00:20|11.0.0.0/8", "1|10|00:00:20|12.0.0.0/8", "1|10|00:00:20|2001:db8::/32");
        assertThat(query(LIVING.formatted("'2026-11-21 08:00:19+00'")))
                .containsExactly("11.0.0.0/8", "12.0.0.0/8", "2001:db8::/32");
        assertThat(query(LIVING.formatted(NOW))).isEmpty();
        assertThat(rebuild()).isEqualTo(new Rebuild.Result(0, 0, 0, 0));
    }

    @Test
    void givenManyMessagesThenTheyAreLookedAtTogetherAndEachEndsAtTheNextEnd() throws SQLException {
        // Given
        event("session-up", 1, 0, 0);
        event("peer-down", 1, 3 << 16, 20);
        event("peer-down", 1, 2000 << 16, 30);

        // When: one route announced before and after the first end, many after it
        TestBatch[] batches = new TestBatch[1000];
        for (int i = 0; i < batches.length; i++) {
            batches[i] = of(1, i == 0 ? 19 : 21)
                    .message(i == 0 ? 1 : 4 + i)
                    .announce("12.0.0.0/8", i)
                    .announce("13." + i % 100 + ".0.0/16", i)
                    .redecoded();
        }
        write(batches);

        // Then
        assertThat(query("SELECT received_at - '2026-11-21 08:00+00', count(*), count(DISTINCT prefix)"
                        + " FROM bmp.v_route_history WHERE synthetic GROUP BY 1 ORDER BY 1"))
                .containsExactly("00:00:20|2|2", "00:00:30|101|101");
        assertThat(query(LIVING.formatted(NOW))).isEmpty();
    }

    @Test
    void givenATableThatIsThroughInANewerSessionThenRoutesEndedWithTheOneBefore() throws SQLException {
        // Given: 12/8 comes again otherwise later in the session, and so it exists in the newer one
        event("session-up", 1, 0, 0);
        write(of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER).dump().announce("11.0.0.0/8", 2));
        write(of(1, 11)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .announce("12.0.0.0/8", 1));
        event("session-up", 2, 0, 30);
        write(of(2, 30)
                .session(EventKind.SESSION_UP)
                .peerUp(PEER)
                .dump()
                .announce("11.0.0.0/8", 2)
                .announce("12.0.0.0/8", 1)
                .endOfRib(PEER, V4)
                .endOfRib(PEER, Family.IPV6_UNICAST));

        // When
        write(redecoded());

        // Then
        assertThat(query(SYNTHETIC)).containsExactly("2|0|00:00:30|2001:db8::/32");
        assertThat(query(LIVING.formatted(NOW))).containsExactly("11.0.0.0/8", "12.0.0.0/8");
    }

    @Test
    void givenATableThatGoesOnThenRoutesLiveUntilItEnds() throws SQLException {
        // Given: another session is open, in which the table is not synchronized
        event("session-up", 1, 0, 0);
        write(of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER).announce("11.0.0.0/8", 2));
        event("session-up", 2, 0, 30);
        write(of(2, 30).session(EventKind.SESSION_UP).peerUp(PEER).dump());

        // When
        write(redecoded());

        // Then
        assertThat(query(SYNTHETIC)).isEmpty();
        assertThat(query(LIVING.formatted(NOW))).containsExactly("11.0.0.0/8", "12.0.0.0/8", "2001:db8::/32");

        // When: it ends without a rebuild of the state before
        event("peer-down", 2, 9, 40);
        write(of(2, 40)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .session(EventKind.SESSION_UP)
                .peerDown(PEER, true));

        // Then: that sees it
        assertThat(rebuild()).isEqualTo(new Rebuild.Result(0, 0, 0, 0));
        assertThat(query(SYNTHETIC))
                .containsExactly("2|9|00:00:40|11.0.0.0/8", "2|9|00:00:40|12.0.0.0/8", "2|9|00:00:40|2001:db8::/32");
        assertThat(query(LIVING.formatted(NOW))).isEmpty();
    }

    @Test
    void givenATableThatLivesThenRoutesAreInTheStateThatIsRebuiltAndEndWithIt() throws SQLException {
        event("session-up", 1, 0, 0);
        write(of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER).announce("11.0.0.0/8", 2));
        write(redecoded());
        assertThat(rebuild()).isEqualTo(new Rebuild.Result(3, 2, 0, 0));
        assertThat(query("SELECT prefix, stale FROM bmp.v_rib ORDER BY 1"))
                .containsExactly("11.0.0.0/8|f", "12.0.0.0/8|f", "2001:db8::/32|f");
        write(down(20));
        assertThat(query(LIVING.formatted(NOW))).isEmpty();
        assertThat(query(SYNTHETIC)).hasSize(3);
    }

    @Test
    void givenAnEndThatOnlyTheStateContainsThenRoutesHaveEndedByNow() throws SQLException {
        write(of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER).announce("11.0.0.0/8", 2));
        write(down(20));
        write(of(2, 30).session(EventKind.SESSION_UP).peerUp(PEER));
        write(redecoded());
        assertThat(query(LIVING.formatted(NOW))).isEmpty();
        assertThat(query(LIVING.formatted("now() - interval '1 minute'"))).hasSize(2);
        assertThat(rebuild()).isEqualTo(new Rebuild.Result(0, 0, 0, 0));
    }
}
