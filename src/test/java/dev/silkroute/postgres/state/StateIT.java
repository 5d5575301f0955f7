package dev.silkroute.postgres.state;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.LaneTiming;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.EventKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What becomes of routes with their peers, sessions and tables: state and history together, as both lanes and the
 * purge leave them.
 */
class StateIT extends StateHarness {
    private static final String HISTORY = "SELECT session_id, sequence, event, prefix, med, synthetic"
            + " FROM bmp.v_route_history ORDER BY session_id, sequence, synthetic DESC, prefix, med";

    @Test
    void givenAPeerDownThenNoRouteIsThereAtOnceAndEachIsWithdrawnOnce() throws SQLException {
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

        assertThat(purge()).isEqualTo(4);
        assertThat(query("SELECT count(*) FROM bmp.rib_route")).containsExactly("1");
        assertThat(query("SELECT event, prefix, rib_view, session_id, sequence, received_at = '2026-11-21T08:00:01Z'"
                        + " FROM bmp.v_route_history WHERE synthetic ORDER BY 2, 3 DESC"))
                .containsExactly(
                        "withdraw|10.0.0.0/8|adj-rib-in-pre|1|0|t",
                        "withdraw|10.0.0.0/8|adj-rib-in-post|1|0|t",
                        "withdraw|11.0.0.0/8|adj-rib-in-pre|1|0|t",
                        "withdraw|12.0.0.0/8|adj-rib-in-pre|1|0|t");
        assertThat(purge()).isZero();
        assertThat(query("SELECT count(*) FROM bmp.rib_ended")).containsExactly("0");
        assertThat(withdrawals.statistics().waitingTables()).isZero();
    }

    @Test
    void givenAPeerThatComesBackBeforeThePurgeThenItsHistoryIsInOrderAndItsRoutesStay() throws SQLException {
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
        purge();
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|9|f");
        assertThat(
                        query(
                                "SELECT prefix, string_agg(event || CASE WHEN synthetic THEN '*' ELSE '' END || coalesce(med, 0),"
                                        + " ' ' ORDER BY received_at, sequence) FROM bmp.v_route_history GROUP BY 1 ORDER BY 1"))
                .containsExactly(
                        "10.0.0.0/8|announce1 withdraw*0 announce1 withdraw*0 announce1",
                        "11.0.0.0/8|announce2 withdraw*0 announce9",
                        "12.0.0.0/8|announce3 withdraw*0");
        assertThat(purge()).isZero();
    }

    @Test
    void givenALostSessionWhenTheSameTableComesAgainThenNothingIsWrittenAndStaleIsClearedRouteByRoute()
            throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce("12.0.0.0/8", 3)
                .endOfRib(PEER, V4));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        List<String> rows = query(ROWS);
        List<String> recorded = query(HISTORY);
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE stale")).containsExactly("3");

        assertThat(write(up(2, 2).announce("11.0.0.0/8", 2).announce("10.0.0.0/8", 1)))
                .isZero();
        assertThat(query(RIB))
                .containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|2|f", "192.0.2.11|12.0.0.0/8|3|t");
        assertThat(write(of(2, 3).dump().announce("12.0.0.0/8", 3).endOfRib(PEER, V4)))
                .isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE stale")).containsExactly("0");
        assertThat(purge()).isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE stale")).containsExactly("0");
        assertThat(query(ROWS)).isEqualTo(rows);
        assertThat(query(HISTORY)).isEqualTo(recorded);
        assertThat(query("SELECT (SELECT count(*) FROM bmp.rib_confirmed), (SELECT count(*) FROM bmp.rib_resync)"))
                .containsExactly("0|0");

        // Then: another End-of-RIB of the session removes nothing, nor does a repetition after it go untold
        write(of(2, 4).endOfRib(PEER, V4).announce("10.0.0.0/8", 1));
        assertThat(purge()).isZero();
        assertThat(query("SELECT count(*) FROM bmp.v_rib WHERE NOT stale")).containsExactly("3");
        assertThat(query(HISTORY)).hasSize(recorded.size() + 1);
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
        assertThat(purge()).isEqualTo(1);
        // Then: the other family's table is not synchronized
        assertThat(query(RIB))
                .containsExactly(
                        "192.0.2.11|10.0.0.0/8|1|f",
                        "192.0.2.11|11.0.0.0/8|7|f",
                        "192.0.2.11|13.0.0.0/8|8|f",
                        "192.0.2.11|2001:db8::/32|4|t");
        write(of(2, 4).endOfRib(PEER, 0));
        assertThat(purge()).isEqualTo(1);
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
        Lane<byte[]> lane = new Lane<>("current", database, null, state, LaneTiming.DEFAULT);

        lane.write(records, () -> true);

        // Then: unchanged routes are not recorded, and a withdrawal removes nothing that came after it
        assertThat(query(RIB))
                .containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|3|f", "192.0.2.11|12.0.0.0/8|4|f");
        assertThat(query("SELECT event, prefix, med, received_at::text FROM bmp.v_route_history WHERE session_id = 2"
                        + " ORDER BY received_at, prefix"))
                .extracting(row -> row.substring(0, row.indexOf("|2026")))
                .containsExactly("announce|11.0.0.0/8|3", "announce|11.0.0.0/8|3", "announce|12.0.0.0/8|4");
        assertThat(query("SELECT count(*) FROM bmp.quarantine")).containsExactly("1");
    }

    @Test
    void givenADumpThatIsWithdrawnFromBeforeItIsStoredThenItsRepetitionsAreNotRecorded() throws SQLException {
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
        List<String> recorded = query(HISTORY);
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
        assertThat(purge()).isZero();
        assertThat(query(RIB))
                .containsExactly("192.0.2.11|10.0.0.0/8|1|f", "192.0.2.11|11.0.0.0/8|1|f", "192.0.2.11|12.0.0.0/8|1|f");
        assertThat(query(HISTORY)).isEqualTo(recorded);
    }

    @Test
    void givenADumpThatComesAfterANewerSessionHasSentEventsThenItIsNeitherStateNorHistory() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).endOfRib(PEER, V4));
        write(up(3, 2).announce("10.0.0.0/8", 1));
        List<String> recorded = query(HISTORY);
        // When events of a session before it arrive late, as by another collector
        write(up(2, 1).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2));
        // Then
        assertThat(query(HISTORY)).isEqualTo(recorded);
        assertThat(query(RIB)).containsExactly("192.0.2.11|10.0.0.0/8|1|f");
        // And what comes with the newer one is recorded
        write(of(3, 3).dump().announce("11.0.0.0/8", 2));
        assertThat(query(HISTORY)).hasSize(recorded.size() + 1);
    }

    @Test
    void givenRepetitionsWithinADumpThenEachIsRecorded() throws SQLException {
        write(up(1, 0).announce("10.0.0.0/8", 1).announce("10.0.0.0/8", 1).announce("10.0.0.0/8", 2));
        write(of(1, 1).dump().announce("10.0.0.0/8", 2).endOfRib(PEER, V4).session(EventKind.SESSION_DOWN));
        assertThat(query(HISTORY))
                .containsExactly(
                        "1|0|announce|10.0.0.0/8|2|f",
                        "1|2|announce|10.0.0.0/8|1|f",
                        "1|3|announce|10.0.0.0/8|1|f",
                        "1|4|announce|10.0.0.0/8|2|f");
        // Then: the first one of a new session changes nothing, a second one is a repetition, in another transaction
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
        purge();
        assertThat(query("SELECT family, rd, prefix, nlri, path_id, synthetic FROM bmp.v_route_history"
                        + " WHERE event = 'withdraw' ORDER BY 1"))
                .containsExactly(
                        "evpn|-|-|" + MAC_IP_TEXT + " label=5002/80033|-|t",
                        "ipv4-unicast|-|10.0.0.0/8|10.0.0.0/8|4294967295|t",
                        "vpnv4|4200000011:1|10.0.0.0/8|4200000011:1 10.0.0.0/8|-|t");
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

    /** Which of the router's routes are out of date is unknown, so all are stale, until it connects again. */
    @Test
    void aRecordThatIsSetAsideMakesTheRoutesOfItsRouterStaleUntilItsNextSession() throws SQLException {
        TestBatch lost = of(1, 3).announce("10.2.0.0/16", 1);
        write(up(1, 1), of(1, 2).announce("10.0.0.0/8", 1), of("r2", 1, 2).announce("10.1.0.0/16", 1));
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, transaction -> {
                state.setAside(
                        transaction, new LaneRecord<>("t-0@7#3-3", null, lost.bytes()), new SQLException("slow"));
                return 0;
            });
        }
        write(of(1, 4).announce("10.3.0.0/16", 1));
        assertThat(query("SELECT DISTINCT router, stale FROM bmp.v_rib ORDER BY 1"))
                .containsExactly("r1|t", "r2|f");
        assertThat(query("SELECT router, session_id, kafka_record, reason FROM bmp.v_quarantine"))
                .containsExactly("r1|1|t-0@7#3-3|slow");
        write(up(2, 9).announce("10.0.0.0/8", 1));
        assertThat(query("SELECT prefix, stale FROM bmp.v_rib WHERE router = 'r1' ORDER BY 1"))
                .containsExactly("10.0.0.0/8|f", "10.3.0.0/16|t");
    }
}
