package dev.silkroute.postgres.history;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class HistoryWriterIT {
    private final DataSource database = TestPostgres.database();
    private final HistoryWriter writer = new HistoryWriter(new DimensionCache(100), new AttributeSets(1000));

    private long write(TestBatch... batches) throws SQLException {
        List<RouteBatch> list = Arrays.stream(batches).map(TestBatch::build).toList();
        try (Connection connection = database.getConnection()) {
            return write(writer, connection, list);
        }
    }

    private static long write(HistoryWriter writer, Connection connection, List<RouteBatch> batches)
            throws SQLException {
        return LaneTransaction.run(connection, writer.prepareBatches(connection, batches)::write);
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    @Test
    void everyAnnouncementAndWithdrawalIsARow() throws SQLException {
        long rows = write(
                of(7, 0).session(EventKind.SESSION_UP).peerUp(PEER).announce("10.0.0.0/8", 5),
                of(7, 1).withdraw("10.0.0.0/8").announce("2001:db8::/32", -1).announce("10.0.0.0/8", 5));
        assertThat(rows).isEqualTo(4);
        assertThat(query("SELECT sequence, event, prefix, nlri, family, afi, safi, next_hop, origin, as_path,"
                        + " origin_asn, med, path_id, rd FROM bmp.v_route_history ORDER BY received_at, sequence"))
                .containsExactly(
                        "2|announce|10.0.0.0/8|10.0.0.0/8|ipv4-unicast|1|1|192.0.2.1|igp|4200000011 64500|64500|5|-|-",
                        "0|withdraw|10.0.0.0/8|10.0.0.0/8|ipv4-unicast|1|1|-|-|-|-|-|-|-",
                        "1|announce|2001:db8::/32|2001:db8::/32|ipv6-unicast|2|1|192.0.2.1|igp|4200000011 64500|64500|"
                                + "4294967295|-|-",
                        "2|announce|10.0.0.0/8|10.0.0.0/8|ipv4-unicast|1|1|192.0.2.1|igp|4200000011 64500|64500|5|-|-");
        assertThat(query("SELECT DISTINCT router, peer_address, peer_asn, peer_bgp_id, peer_type, peer_distinguisher,"
                        + " rib_view, synthetic, session_id FROM bmp.v_route_history"))
                .containsExactly("r1|192.0.2.11|4200000011|10.0.0.11|global|0000000000000000|adj-rib-in-pre|f|7");
        assertThat(query("SELECT count(*) FROM bmp.attribute_set")).containsExactly("2");
    }

    @Test
    void pathMarkingsAreKeptWithEachEvent() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", 1, PathMarking.of(0x8A))
                .announce("10.0.0.0/8", 1, PathMarking.of(0x14, 6))
                .announce("10.0.0.0/8", 1)
                .withdraw("10.0.0.0/8"));
        assertThat(query("SELECT event, path_status, path_reason FROM bmp.v_route_history ORDER BY sequence"))
                .containsExactly(
                        "announce|{best,primary,add-path}|-",
                        "announce|{non-selected,backup}|not-preferred-med",
                        "announce|-|-",
                        "withdraw|-|-");
    }

    @Test
    void timesAreKeptToTheMicrosecondAndNoRouterTimeIsNull() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", 1).withdraw("10.0.0.0/8"));
        assertThat(query("SELECT extract(epoch FROM received_at), extract(epoch FROM router_time)"
                        + " FROM bmp.v_route_history ORDER BY sequence"))
                .containsExactly("1795248000.000000|1795247999.999999", "1795248000.000000|-");
    }

    @Test
    void otherFamiliesKeepTheirFieldsOrTheirBytes() throws SQLException {
        byte[] vpn = hex("68" + "003e81" + "0000fbf400000001" + "0a01");
        byte[] labelled = hex("38" + "0003e0" + "0003f1" + "0a");
        write(of(7, 0).announce(PEER, Family.VPNV4, vpn, false, attributes(1))
                .announce(PEER, Family.IPV4_LABELED_UNICAST, labelled, false, attributes(1))
                .announce(PEER, Family.of(7, 99), hex("00ff"), false, attributes(1))
                .announce(PEER, Family.IPV4_UNICAST, concat(hex("ffffffff"), nlri("0.0.0.0/0")), true, attributes(1)));
        assertThat(query("SELECT family, rd, prefix, nlri, labels, path_id FROM bmp.v_route_history ORDER BY sequence"))
                .containsExactly(
                        "vpnv4|64500:1|10.1.0.0/16|64500:1 10.1.0.0/16|{1000}|-",
                        "ipv4-labeled-unicast|-|10.0.0.0/8|10.0.0.0/8|{62,63}|-",
                        "afi-7/safi-99|-|-|00ff|-|-",
                        "ipv4-unicast|-|0.0.0.0/0|0.0.0.0/0|-|4294967295");
    }

    @Test
    void nlriThatAreNoPrefixesHaveTheirTextAndKeepTheirBytes() throws SQLException {
        write(of(7, 0).announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(1))
                .withdraw(PEER, Family.EVPN, hex(MAC_IP + "000000"), false)
                .announce(PEER, Family.IPV4_FLOWSPEC, hex("0f011864400103810605911f41098102"), false, attributes(1))
                .announce(PEER, Family.BGP_LS, hex(NODE), false, attributes(1))
                .announce(PEER, Family.RT_CONSTRAINT, hex("60fa56ea0b0002fde800000064"), false, attributes(1))
                .announce(
                        PEER, Family.VPNV4_FLOWSPEC, hex("100000fde8000000010118644000038106"), false, attributes(1)));
        assertThat(query("SELECT family, rd, prefix, labels, nlri FROM bmp.v_route_history ORDER BY sequence"))
                .containsExactly(
                        "evpn|-|-|-|" + MAC_IP_TEXT + " label=5002/80033",
                        "evpn|-|-|-|" + MAC_IP_TEXT + " label=0/0",
                        "ipv4-flowspec|-|-|-|dst=100.64.1.0/24 proto=6 dport=8001 tcp-flags==0x02",
                        "bgp-ls|-|-|-|node protocol=isis-l2 id=0 local.as=65000 local.ls-id=0"
                                + " local.router=0000.0000.0000",
                        "rt-constraint|-|-|-|origin-as=4200000011 rt=65000:100",
                        "vpnv4-flowspec|-|-|-|rd=65000:1 dst=100.64.0.0/24 proto=6");
        assertThat(query("SELECT encode(nlri, 'hex') FROM bmp.route_event ORDER BY sequence LIMIT 1"))
                .containsExactly(MAC_IP + "0138a1");
    }

    @Test
    void aRowWithoutATextShowsItsBytes() throws SQLException {
        write(of(7, 0).announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(1)));
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.route_event SET nlri_as_text = NULL");
        }
        assertThat(query("SELECT nlri FROM bmp.v_route_history")).containsExactly(MAC_IP + "0138a1");
    }

    @Test
    void aPeerThatOnlyWentDownIsNotMade() throws SQLException {
        write(of(7, 0).peerDown(PEER, true).announce(peer(12, 12, RibView.LOC_RIB), "10.0.0.0/8", 1));
        assertThat(query("SELECT address FROM bmp.peer")).containsExactly("192.0.2.12");
    }

    @Test
    void anAttributeSetThatCannotBeReadKeepsItsBytes() throws SQLException {
        write(of(7, 0).announce(PEER, Family.IPV4_UNICAST, nlri("10.0.0.0/8"), false, hex("5001000109")));
        assertThat(query("SELECT origin, attributes, raw FROM bmp.attribute_set"))
                .containsExactly("-|-|\\x5001000109");
        assertThat(query("SELECT event, origin FROM bmp.v_route_history")).containsExactly("announce|-");
    }

    @Test
    void whatFailedIsNotRememberedAsWritten() throws SQLException {
        AttributeSets sets = new AttributeSets(100);
        HistoryWriter failing = new HistoryWriter(new DimensionCache(100), sets);
        List<RouteBatch> batch = List.of(of(7, 0).announce("10.0.0.0/8", 1).build());
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("ALTER TABLE bmp.route_event ADD CONSTRAINT no CHECK (action = 0)");
            assertThatThrownBy(() -> write(failing, connection, batch)).isInstanceOf(SQLException.class);
            // as after the loss of a server that had not written them to its disk yet
            connection.createStatement().execute("DELETE FROM bmp.attribute_set");
            connection.createStatement().execute("ALTER TABLE bmp.route_event DROP CONSTRAINT no");
            write(failing, connection, batch);
            write(failing, connection, batch);
        }
        assertThat(query("SELECT med, count(*) FROM bmp.v_route_history GROUP BY 1"))
                .containsExactly("1|2");
    }

    @Test
    void aPartitionDroppedBehindItsBackIsMadeAgain() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", 1));
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("DROP TABLE bmp.route_event_20261121");
        }
        assertThatThrownBy(() -> write(of(7, 1).announce("10.0.0.0/8", 1))).isInstanceOf(SQLException.class);
        assertThat(write(of(7, 1).announce("10.0.0.0/8", 1))).isEqualTo(1);
    }

    @Test
    void lanesThatMeetTheSameNewPeersAndSetsGetTheSameIds() throws Exception {
        AttributeSets sets = new AttributeSets(8); // so small that sets are written again and again
        DimensionCache dimensions = new DimensionCache(2);
        int lanes = 4;
        try (ExecutorService threads = Executors.newFixedThreadPool(lanes)) {
            List<Future<?>> running = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                Callable<Void> work = () -> {
                    HistoryWriter own = new HistoryWriter(dimensions, sets);
                    try (Connection connection = database.getConnection()) {
                        for (int round = 0; round < 20; round++) {
                            TestBatch batch = of("r" + round % 5, 7, round);
                            for (int i = 0; i < 50; i++) {
                                batch.announce(peer(i % 10, i % 10, RibView.LOC_RIB), "10.0.0.0/8", round * 25 + i);
                            }
                            write(own, connection, List.of(batch.build()));
                        }
                    }
                    return null;
                };
                running.add(threads.submit(work));
            }
            for (Future<?> future : running) {
                future.get();
            }
        }
        assertThat(query("SELECT count(*), count(*) FILTER (WHERE med IS NULL) FROM bmp.v_route_history"))
                .containsExactly("4000|0");
        assertThat(query("SELECT (SELECT count(*) FROM bmp.router), (SELECT count(*) FROM bmp.peer)"))
                .containsExactly("5|50");
    }

    @Test
    void redecodedRoutesReplaceThoseOfTheSameMessages() throws SQLException {
        write(of(7, 0).announce("10.0.0.0/8", 5).announce("11.0.0.0/8", 5), of(7, 1).announce("12.0.0.0/8", 5));
        write(of("r2", 8, 0).announce("13.0.0.0/8", 5));
        TestBatch again = of(7, 0).announce("10.0.0.0/16", 6).redecoded();
        List<String> once = List.of("7|0|10.0.0.0/16|6", "7|0|12.0.0.0/8|5", "8|0|13.0.0.0/8|5");
        String events = "SELECT session_id, sequence, prefix, med FROM bmp.v_route_history ORDER BY session_id, prefix";
        write(again);
        assertThat(query(events)).isEqualTo(once);
        write(of(7, 2).withdraw("12.0.0.0/8"), again, again, of(7, 3).withdraw("10.0.0.0/8"));
        assertThat(query(events.replace("ORDER", "WHERE event = 'announce' ORDER")))
                .isEqualTo(once);
        assertThat(query("SELECT prefix FROM bmp.v_route_history WHERE event = 'withdraw' ORDER BY received_at"))
                .containsExactly("12.0.0.0/8", "10.0.0.0/8");
    }

    @Test
    void whatWasDecodedAgainIsStoredWhereNothingWasBefore() throws SQLException {
        TestBatch late = of(3, -90_000).announce("10.0.0.0/8", 5).redecoded();
        write(late);
        write(late);
        assertThat(query("SELECT received_at AT TIME ZONE 'UTC', prefix FROM bmp.v_route_history"))
                .containsExactly("2026-11-20 07:00:00|10.0.0.0/8");
    }

    @Test
    void givenSeveralSessionsOfARouterThenOnlyEventsOfTheNewestAreRows() throws SQLException {
        // When they alternate, in one transaction and in others, and a router has one session
        write(
                of(7, 0).announce("10.0.0.0/8", 5),
                of(8, 1).session(EventKind.SESSION_UP),
                of(7, 2).announce("11.0.0.0/8", 5),
                of("r2", 1, 3).announce("12.0.0.0/8", 5));
        write(of(7, 4).announce("13.0.0.0/8", 5), of(8, 5).announce("14.0.0.0/8", 5));
        // When the newest has ended
        write(of(8, 6).session(EventKind.SESSION_DOWN), of(7, 7).announce("15.0.0.0/8", 5));
        // Then
        assertThat(query("SELECT router, session_id, prefix FROM bmp.v_route_history ORDER BY prefix"))
                .containsExactly("r1|7|10.0.0.0/8", "r2|1|12.0.0.0/8", "r1|8|14.0.0.0/8");
    }

    @Test
    void givenMessagesOfAnOlderSessionThatAreDecodedAgainThenThoseThatCountedWhenTheyWereReceivedAreRows()
            throws SQLException {
        query(
                "SELECT bmp.apply_peer_events('[{\"event\":\"session-up\",\"collector\":\"c2\",\"router\":\"r1\",\"session_id\":8,"
                        + "\"sequence\":0,\"received_at\":\"2026-11-21T08:01:00Z\"}]')");
        write(
                of(7, 59).message(1).announce("10.0.0.0/8", 5).redecoded(),
                of(7, 61).message(2).announce("11.0.0.0/8", 5).redecoded(),
                of(8, 62).message(1).announce("12.0.0.0/8", 5).redecoded());
        assertThat(query("SELECT session_id, prefix FROM bmp.v_route_history WHERE NOT synthetic ORDER BY prefix"))
                .containsExactly("7|10.0.0.0/8", "8|12.0.0.0/8");
    }
}
