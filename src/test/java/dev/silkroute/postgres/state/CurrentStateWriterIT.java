package dev.silkroute.postgres.state;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.agroal.api.AgroalDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CurrentStateWriterIT {
    private static final PeerEntry POST = peer(11, 11, RibView.ADJ_RIB_IN_POST_POLICY);
    private static final PeerEntry LOC = peer(11, 11, RibView.LOC_RIB);
    private static final PeerEntry TWIN = peer(11, 99, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final PeerEntry OTHER = peer(12, 12, RibView.ADJ_RIB_IN_PRE_POLICY);

    private static final String ROUTES = "SELECT prefix, med FROM bmp.v_rib ORDER BY 1, 2";
    private static final String TIMES = "SELECT prefix, med, extract(epoch FROM first_seen)::bigint - 1795248000,"
            + " extract(epoch FROM last_changed)::bigint - 1795248000 FROM bmp.v_rib ORDER BY 1, 2";
    private static final String STALE = "SELECT prefix, med, stale FROM bmp.v_rib ORDER BY 1, 2";

    @AutoClose
    private final AgroalDataSource database = TestPostgres.pool();

    private final CurrentStateWriter writer = new CurrentStateWriter(new DimensionCache(100), new AttributeSets(1000));

    /** All batches in one transaction. */
    private long write(TestBatch... batches) throws SQLException {
        return write(Arrays.stream(batches).map(TestBatch::build).toList());
    }

    private long write(List<RouteBatch> batches) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return LaneTransaction.run(connection, writer.prepareBatches(connection, batches)::write);
        }
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    @Test
    void theLastWordWins() throws SQLException {
        write(of(1, 0).announce("10.0.0.0/8", 1)
                .announce("10.0.0.0/8", 2)
                .announce("11.0.0.0/8", 1)
                .withdraw("11.0.0.0/8")
                .withdraw("12.0.0.0/8")
                .announce("12.0.0.0/8", 3));
        assertThat(query(ROUTES)).containsExactly("10.0.0.0/8|2", "12.0.0.0/8|3");
        write(of(1, 1).withdraw("10.0.0.0/8").announce("12.0.0.0/8", 4));
        assertThat(query(ROUTES)).containsExactly("12.0.0.0/8|4");
    }

    @Test
    void aPathMarkingIsPartOfTheRoute() throws SQLException {
        String marks = "SELECT prefix, path_status, path_reason, extract(epoch FROM last_changed)::bigint - 1795248000"
                + " FROM bmp.v_rib ORDER BY 1";
        write(of(1, 0).announce("10.0.0.0/8", 1, PathMarking.of(0x8A))
                .announce("11.0.0.0/8", 1, PathMarking.of(0x8000_0004, 3))
                .announce("12.0.0.0/8", 1, PathMarking.of(0))
                .announce("13.0.0.0/8", 1, PathMarking.of(1, 99))
                .announce("14.0.0.0/8", 1));
        assertThat(query(marks))
                .containsExactly(
                        "10.0.0.0/8|{best,primary,add-path}|-|0",
                        "11.0.0.0/8|{non-selected,status-31}|not-preferred-local-pref|0",
                        "12.0.0.0/8|{}|-|0",
                        "13.0.0.0/8|{invalid}|reason-99|0",
                        "14.0.0.0/8|-|-|0");

        // A marking that changes, comes or goes is a change; the same one again is none.
        long rows = write(of(1, 5).announce("10.0.0.0/8", 1, PathMarking.of(0x8A))
                .announce("11.0.0.0/8", 1, PathMarking.of(0x8000_0004, 4))
                .announce("12.0.0.0/8", 1)
                .announce("14.0.0.0/8", 1, PathMarking.of(0)));
        assertThat(rows).isEqualTo(3);
        assertThat(query(marks))
                .containsExactly(
                        "10.0.0.0/8|{best,primary,add-path}|-|0",
                        "11.0.0.0/8|{non-selected,status-31}|not-preferred-as-path-length|5",
                        "12.0.0.0/8|-|-|5",
                        "13.0.0.0/8|{invalid}|reason-99|0",
                        "14.0.0.0/8|{}|-|5");

        // Within one write too.
        write(of(1, 6).announce("10.0.0.0/8", 1, PathMarking.of(2)).announce("10.0.0.0/8", 1, PathMarking.of(0x8A)));
        assertThat(query(marks)).first().isEqualTo("10.0.0.0/8|{best,primary,add-path}|-|6");
    }

    @Test
    void rowsShowEveryColumn() throws SQLException {
        write(of(1, 0).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 1));
        assertThat(query(
                        "SELECT router, peer_address, peer_asn, peer_bgp_id, peer_type, peer_distinguisher, rib_view, afi,"
                                + " safi, family, rd, prefix, nlri, path_id, next_hop, origin, as_path, origin_asn, med,"
                                + " local_pref, communities, labels, stale FROM bmp.v_rib"))
                .containsExactly("r1|192.0.2.11|4200000011|10.0.0.11|global|0000000000000000|adj-rib-in-pre|1|1|"
                        + "ipv4-unicast|-|10.0.0.0/8|10.0.0.0/8|-|192.0.2.1|igp|4200000011 64500|64500|1|-|-|-|f");
    }

    @Test
    void viewsPeersPathsAndFamiliesDoNotMerge() throws SQLException {
        byte[] prefix = nlri("10.0.0.0/8");
        byte[] path0 = concat(hex("00000000"), prefix);
        byte[] path4g = concat(hex("ffffffff"), prefix);
        write(of(1, 0).announce("10.0.0.0/8", 1)
                .announce(POST, "10.0.0.0/8", 2)
                .announce(LOC, "10.0.0.0/8", 3)
                .announce(TWIN, "10.0.0.0/8", 4)
                .announce(OTHER, "10.0.0.0/8", 5)
                .announce(PEER, Family.IPV4_UNICAST, path0, true, attributes(6))
                .announce(PEER, Family.IPV4_UNICAST, path4g, true, attributes(7))
                .announce(PEER, Family.IPV4_MULTICAST, prefix, false, attributes(8))
                .announce(PEER, Family.VPNV4, hex("60" + "003e81" + "0000fbf400000001" + "0a"), false, attributes(9))
                .announce(PEER, Family.VPNV4, hex("60" + "003e91" + "0000fbf400000002" + "0a"), false, attributes(10)));
        String all = "SELECT med, peer_address, peer_bgp_id, rib_view, family, rd, nlri, path_id, labels"
                + " FROM bmp.v_rib ORDER BY med";
        assertThat(query(all))
                .containsExactly(
                        "1|192.0.2.11|10.0.0.11|adj-rib-in-pre|ipv4-unicast|-|10.0.0.0/8|-|-",
                        "2|192.0.2.11|10.0.0.11|adj-rib-in-post|ipv4-unicast|-|10.0.0.0/8|-|-",
                        "3|192.0.2.11|10.0.0.11|loc-rib|ipv4-unicast|-|10.0.0.0/8|-|-",
                        "4|192.0.2.11|10.0.0.99|adj-rib-in-pre|ipv4-unicast|-|10.0.0.0/8|-|-",
                        "5|192.0.2.12|10.0.0.12|adj-rib-in-pre|ipv4-unicast|-|10.0.0.0/8|-|-",
                        "6|192.0.2.11|10.0.0.11|adj-rib-in-pre|ipv4-unicast|-|10.0.0.0/8|0|-",
                        "7|192.0.2.11|10.0.0.11|adj-rib-in-pre|ipv4-unicast|-|10.0.0.0/8|4294967295|-",
                        "8|192.0.2.11|10.0.0.11|adj-rib-in-pre|ipv4-multicast|-|10.0.0.0/8|-|-",
                        "9|192.0.2.11|10.0.0.11|adj-rib-in-pre|vpnv4|64500:1|64500:1 10.0.0.0/8|-|{1000}",
                        "10|192.0.2.11|10.0.0.11|adj-rib-in-pre|vpnv4|64500:2|64500:2 10.0.0.0/8|-|{1001}");
        write(of(1, 1).withdraw(PEER, Family.IPV4_UNICAST, path0, true)
                .withdraw(POST, "10.0.0.0/8")
                .withdraw(PEER, Family.VPNV4, hex("60" + "800000" + "0000fbf400000001" + "0a"), false));
        assertThat(query("SELECT med FROM bmp.v_rib ORDER BY 1")).containsExactly("1", "3", "4", "5", "7", "8", "10");
    }

    @Test
    void nlriThatAreNoPrefixesAreKeptByTheirBytes() throws SQLException {
        byte[] huge = new byte[5000];
        new Random(1).nextBytes(huge);
        byte[] hugeToo = huge.clone();
        hugeToo[4999]++;
        int family = Family.of(7, 99);
        write(of(1, 0).announce(PEER, family, hex("01"), false, attributes(1))
                .announce(PEER, family, hex("0100"), false, attributes(2))
                .announce(PEER, family, huge, false, attributes(3))
                .announce(PEER, family, hugeToo, false, attributes(4))
                .announce("::/128", 5)
                .announce("0.0.0.0/0", 6));
        assertThat(query("SELECT med, prefix, left(nlri, 10), length(nlri) FROM bmp.v_rib ORDER BY med"))
                .extracting(row -> row.replaceAll("\\|[0-9a-f]{10}\\|10000", "|…|10000"))
                .containsExactly(
                        "1|-|01|2",
                        "2|-|0100|4",
                        "3|-|…|10000",
                        "4|-|…|10000",
                        "5|::/128|::/128|6",
                        "6|0.0.0.0/0|0.0.0.0/0|9");
        write(of(1, 1).withdraw(PEER, family, huge, false).withdraw(PEER, family, hex("01"), false));
        assertThat(query("SELECT med FROM bmp.v_rib ORDER BY 1")).containsExactly("2", "4", "5", "6");
    }

    @Test
    void anEvpnRouteWithAnotherLabelIsTheSameRoute() throws SQLException {
        String times = "SELECT nlri, rd, med, extract(epoch FROM first_seen)::bigint - 1795248000,"
                + " extract(epoch FROM last_changed)::bigint - 1795248000 FROM bmp.v_rib";
        write(of(1, 0).announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(1)));
        write(of(1, 1).announce(PEER, Family.EVPN, hex(MAC_IP + "0138b1"), false, attributes(1)));
        assertThat(query(times)).containsExactly(MAC_IP_TEXT + " label=5003/80049|-|1|0|1");

        // Then: announced again, it has not changed
        assertThat(write(of(1, 2).announce(PEER, Family.EVPN, hex(MAC_IP + "0138b1"), false, attributes(1))))
                .isZero();

        // Then: within a run too, and another segment is no other route either
        write(of(1, 3).announce(PEER, Family.EVPN, hex(MAC_IP + "0138c1"), false, attributes(1))
                .announce(
                        PEER,
                        Family.EVPN,
                        hex(MAC_IP.replace("00112233", "00112234") + "0138b1"),
                        false,
                        attributes(1)));
        assertThat(query(times)).containsExactly(MAC_IP_TEXT.replace("22:33", "22:34") + " label=5003/80049|-|1|0|3");

        // Then: the label of a withdrawal means nothing
        write(of(1, 4).withdraw(PEER, Family.EVPN, hex(MAC_IP + "000000"), false));
        assertThat(query(times)).isEmpty();
    }

    @Test
    void evpnRoutesThatDifferInTheirKeyStayApart() throws SQLException {
        write(of(1, 0).announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(1))
                .announce(
                        PEER, Family.EVPN, hex(MAC_IP.replace("0a090002", "0a090003") + "0138a1"), false, attributes(2))
                .announce(
                        PEER,
                        Family.EVPN,
                        hex(MAC_IP.replace("fde800000002", "fde800000003") + "0138a1"),
                        false,
                        attributes(3)));
        write(of(1, 1).withdraw(PEER, Family.EVPN, hex(MAC_IP + "000001"), false));
        assertThat(query("SELECT med FROM bmp.v_rib ORDER BY 1")).containsExactly("2", "3");
    }

    @Test
    void otherFamiliesShowTheirTextAndNoRd() throws SQLException {
        write(of(1, 0).announce(PEER, Family.IPV4_FLOWSPEC, hex("0c011864400003811105911f40"), false, attributes(1))
                .announce(PEER, Family.BGP_LS, hex(NODE), false, attributes(2))
                .announce(
                        PEER, Family.VPNV4_FLOWSPEC, hex("100000fde8000000010118644000038106"), false, attributes(3)));
        assertThat(query("SELECT med, rd, prefix, nlri FROM bmp.v_rib ORDER BY 1"))
                .containsExactly(
                        "1|-|-|dst=100.64.0.0/24 proto=17 dport=8000",
                        "2|-|-|node protocol=isis-l2 id=0 local.as=65000 local.ls-id=0 local.router=0000.0000.0000",
                        "3|-|-|rd=65000:1 dst=100.64.0.0/24 proto=6");
    }

    @Test
    void aRouteHasTheTimesOfItsAnnouncementAndLastChange() throws SQLException {
        write(of(1, 0).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 1).announce("12.0.0.0/8", 1));
        write(of(1, 10)
                .announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .withdraw("12.0.0.0/8")
                .announce("12.0.0.0/8", 1));
        assertThat(query(TIMES)).containsExactly("10.0.0.0/8|1|0|0", "11.0.0.0/8|2|0|10", "12.0.0.0/8|1|10|10");
    }

    @Test
    void anAnnouncementThatChangesNothingWritesNothing() throws SQLException {
        write(of(1, 0).announce("10.0.0.0/8", 1));
        assertThat(write(of(1, 1).announce("10.0.0.0/8", 1))).isZero();
    }

    @Test
    void peerDownTakesWhatWasBeforeItAndLeavesWhatCameAfter() throws SQLException {
        write(of(1, 0).announce("10.0.0.0/8", 1).announce(POST, "10.0.0.0/8", 2).announce(OTHER, "10.0.0.0/8", 3));
        write(of(1, 1).announce("11.0.0.0/8", 4)
                .peerDown(PEER, true)
                .peerUp(PEER)
                .announce("12.0.0.0/8", 5)
                .announce("10.0.0.0/8", 6));
        assertThat(query(TIMES)).containsExactly("10.0.0.0/8|3|0|0", "10.0.0.0/8|6|1|1", "12.0.0.0/8|5|1|1");
    }

    @Test
    void peerDownOfOneViewLeavesTheOthers() throws SQLException {
        write(of(1, 0).announce("10.0.0.0/8", 1).announce(POST, "10.0.0.0/8", 2).announce(TWIN, "10.0.0.0/8", 3));
        write(of(1, 1).peerDown(POST, false));
        assertThat(query(ROUTES)).containsExactly("10.0.0.0/8|1", "10.0.0.0/8|3");
        write(of(1, 1).peerDown(POST, true));
        assertThat(query(ROUTES)).containsExactly("10.0.0.0/8|3");
    }

    @Test
    void peerDownOfAnUnknownPeerCreatesNone() throws SQLException {
        write(of(1, 0).peerDown(PEER, true));
        assertThat(query("SELECT count(*) FROM bmp.peer")).containsExactly("0");
    }

    @Test
    void aTableIsSynchronizedFromItsEndOfRibUntilThePeerOrTheRouterStartsAgain() throws SQLException {
        String tables =
                "SELECT rib_view, family, table_synchronized, count(*) FROM bmp.v_rib GROUP BY 1, 2, 3 ORDER BY 1, 2";
        write(of(1, 0).session(EventKind.SESSION_UP)
                .peerUp(PEER)
                .announce("10.0.0.0/8", 1)
                .announce(POST, "10.0.0.0/8", 1)
                .announce(PEER, Family.IPV4_MULTICAST, nlri("10.0.0.0/8"), false, attributes(1)));
        assertThat(query(tables))
                .containsExactly(
                        "adj-rib-in-post|ipv4-unicast|f|1",
                        "adj-rib-in-pre|ipv4-multicast|f|1",
                        "adj-rib-in-pre|ipv4-unicast|f|1");

        write(of(1, 1).endOfRib(PEER, Family.IPV4_UNICAST).announce("11.0.0.0/8", 1));
        assertThat(query(tables))
                .containsExactly(
                        "adj-rib-in-post|ipv4-unicast|f|1",
                        "adj-rib-in-pre|ipv4-multicast|f|1",
                        "adj-rib-in-pre|ipv4-unicast|t|2");
        assertThat(query("SELECT rib_view, family, table_synchronized FROM bmp.reconcile() ORDER BY 1, 2"))
                .containsExactly(
                        "adj-rib-in-post|ipv4-unicast|f",
                        "adj-rib-in-pre|ipv4-multicast|f",
                        "adj-rib-in-pre|ipv4-unicast|t");

        // Until its End-of-RIB in the new session
        write(of(2, 3).session(EventKind.SESSION_UP).peerUp(PEER).announce("10.0.0.0/8", 1));
        assertThat(query(tables)).isNotEmpty().allMatch(table -> table.contains("|f|"));
        write(of(2, 4).endOfRib(PEER, 0));
        assertThat(query(tables)).isNotEmpty().allMatch(table -> table.contains("|t|"));

        // An End-of-RIB that an older session sent late does not count
        write(of(2, 5).peerDown(PEER, true).peerUp(PEER).announce("10.0.0.0/8", 2));
        write(of(1, 6).endOfRib(PEER, Family.IPV4_UNICAST));
        assertThat(query(tables)).isNotEmpty().allMatch(table -> table.contains("|f|"));
    }

    @Test
    void anEndOfRibOfAPeerThatIsNotYetStoredCounts() throws SQLException {
        write(of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER).endOfRib(PEER, Family.IPV4_UNICAST));
        write(of(1, 1).announce("10.0.0.0/8", 1));
        assertThat(query("SELECT prefix, table_synchronized FROM bmp.v_rib")).containsExactly("10.0.0.0/8|t");
    }

    @Test
    void aPeerHasAtMostAThousandEndsOfTablesWhichNewerSessionsStillUpdate() throws SQLException {
        String stored = "SELECT count(*), count(*) FILTER (WHERE session_id = 2) FROM bmp.rib_end_of_rib";
        TestBatch batch = of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER);
        for (int safi = 0; safi < 998; safi++) {
            batch.endOfRib(PEER, Family.of(3 + safi / 256, safi % 256));
        }
        write(batch);
        assertThat(query(stored)).containsExactly("998|0");

        write(of(1, 1).endOfRib(PEER, 0).endOfRib(PEER, Family.IPV4_UNICAST));
        assertThat(query(stored)).containsExactly("1000|0");

        write(of(2, 2).session(EventKind.SESSION_UP)
                .peerUp(PEER)
                .endOfRib(PEER, 0)
                .endOfRib(PEER, Family.of(3, 0))
                .endOfRib(PEER, Family.IPV6_UNICAST));
        assertThat(query(stored)).containsExactly("1000|3");
    }

    @Test
    void aLostSessionMakesItsRoutesStaleAndANewOneFreshensThemOneByOne() throws SQLException {
        write(of(1, 0).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|1|f", "11.0.0.0/8|2|f");
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|1|t", "11.0.0.0/8|2|t");
        write(of(2, 5).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 1));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|1|f", "11.0.0.0/8|2|t");
        assertThat(query(TIMES)).containsExactly("10.0.0.0/8|1|0|0", "11.0.0.0/8|2|0|0");
    }

    @Test
    void theEndOfAnOlderSessionLeavesTheNewerOneLive() throws SQLException {
        write(of(1, 0).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 1));
        write(of(2, 1).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 1));
        write(of(1, 2).session(EventKind.SESSION_DOWN));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|1|f");
        write(of(2, 3).session(EventKind.SESSION_DOWN));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|1|t");
    }

    @Test
    void aSessionWhoseBeginningWasMissedIsLiveAndStaysDownOnceItIs() throws SQLException {
        write(of(1, 0).announce("10.0.0.0/8", 1));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|1|f");
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(of(1, 2).announce("11.0.0.0/8", 1));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|1|t", "11.0.0.0/8|1|t");
    }

    @Test
    void eventsOfAnOlderSessionLeaveARowAlone() throws SQLException {
        write(of(2, 0).announce("10.0.0.0/8", 2).announce("11.0.0.0/8", 2));
        write(of(1, 1).announce("10.0.0.0/8", 1).withdraw("11.0.0.0/8").peerDown(PEER, true));
        write(
                of(2, 2).announce("12.0.0.0/8", 2),
                of(1, 3).withdraw("12.0.0.0/8").announce("12.0.0.0/8", 1));
        assertThat(query(STALE)).containsExactly("10.0.0.0/8|2|f", "11.0.0.0/8|2|f", "12.0.0.0/8|2|f");
    }

    @Test
    void lookupFindsTheLongestMatchOfEachPeerAndView() throws SQLException {
        write(of(1, 0).announce("0.0.0.0/0", 1)
                .announce("10.0.0.0/8", 2)
                .announce("10.1.0.0/16", 3)
                .announce(PEER, Family.IPV4_UNICAST, concat(hex("00000007"), nlri("10.1.0.0/16")), true, attributes(4))
                .announce("10.1.2.128/25", 5)
                .announce(LOC, "10.0.0.0/8", 6)
                .announce(OTHER, "11.0.0.0/8", 7)
                .announce(
                        PEER, Family.VPNV4, hex("70" + "003e81" + "0000fbf400000001" + "0a0102"), false, attributes(8))
                .announce("2001:db8::/32", 9));
        assertThat(query("SELECT med FROM bmp.lookup('10.1.2.3') ORDER BY 1")).containsExactly("3", "4", "6");
        assertThat(query("SELECT med FROM bmp.lookup('10.1.2.200') ORDER BY 1")).containsExactly("5", "6");
        assertThat(query("SELECT med FROM bmp.lookup('10.0.0.0/8') ORDER BY 1")).containsExactly("2", "6");
        assertThat(query("SELECT med FROM bmp.lookup('11.1.1.1') ORDER BY 1")).containsExactly("1", "7");
        assertThat(query("SELECT med FROM bmp.lookup('2001:db8::1') ORDER BY 1"))
                .containsExactly("9");
        assertThat(query("SELECT med FROM bmp.lookup('2001:db9::1') ORDER BY 1"))
                .isEmpty();
    }

    @Test
    void aMergeThatMeetsANewRouteOfAnotherIsRetriedAndFindsIt() throws Exception {
        // Given: a table that is there, and a route of it that another transaction is about to add
        write(of(1, 0).announce("11.0.0.0/8", 1));
        String copy = "INSERT INTO bmp.rib_route SELECT (jsonb_populate_record(r, '{\"prefix\": \"10.0.0.0/8\","
                + " \"route_id\": 99}')).* FROM bmp.rib_route r";
        List<RouteBatch> batch = List.of(of(1, 1).announce("10.0.0.0/8", 2).build());
        try (Connection other = database.getConnection();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            other.setAutoCommit(false);
            other.createStatement().execute(copy);

            // When
            Future<Long> waiting = thread.submit(() -> write(batch));
            await().until(() -> !query("SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'")
                    .isEmpty());
            other.commit();

            // Then
            assertThatThrownBy(waiting::get).cause().extracting("SQLState").isEqualTo("40001");
        }
        write(batch);
        assertThat(query(ROUTES)).containsExactly("10.0.0.0/8|2", "11.0.0.0/8|1");
    }

    /** However a run of events is cut into transactions, what comes out is the same, times included. */
    @Test
    void batchBoundariesDoNotMatter() throws SQLException {
        for (long seed = 1; seed <= 6; seed++) {
            List<RouteBatch> events = randomEvents(new Random(seed));
            DataSource oneByOne = TestPostgres.database();
            CurrentStateWriter other = new CurrentStateWriter(new DimensionCache(100), new AttributeSets(8));
            try (Connection connection = oneByOne.getConnection()) {
                for (RouteBatch event : events) {
                    LaneTransaction.run(connection, other.prepareBatches(connection, List.of(event))::write);
                }
            }
            try (Connection connection = database.getConnection()) {
                connection
                        .createStatement()
                        .execute(
                                "TRUNCATE bmp.rib_route, bmp.live_session, bmp.rib_table, bmp.rib_ended, bmp.rib_resync,"
                                        + " bmp.rib_sync, bmp.rib_confirmed, bmp.rib_end_of_rib,"
                                        + " bmp.table_synchronization");
            }
            Random cuts = new Random(seed);
            for (int from = 0; from < events.size(); ) {
                int to = Math.min(events.size(), from + 1 + cuts.nextInt(60));
                write(events.subList(from, to));
                from = to;
            }
            String all = "SELECT router, peer_address, peer_bgp_id, rib_view, prefix, med, first_seen, last_changed,"
                    + " stale FROM bmp.v_rib ORDER BY 1, 2, 3, 4, 5";
            assertThat(query(all)).as("seed %d", seed).isEqualTo(TestPostgres.query(oneByOne, all));
            for (String table :
                    List.of("rib_table", "rib_ended", "rib_resync", "rib_end_of_rib", "table_synchronization")) {
                String rows = "SELECT host(p.address), p.bgp_id, to_jsonb(t) - 'peer_id' FROM bmp." + table
                        + " t JOIN bmp.peer p USING (peer_id) ORDER BY 1, 2, 3";
                assertThat(query(rows))
                        .as("seed %d, %s", seed, table)
                        .isNotEmpty()
                        .isEqualTo(TestPostgres.query(oneByOne, rows));
            }
        }
    }

    /** Thousands of peers that go down together would hold up the routers of their partition otherwise. */
    @Test
    void theNumberOfStatementsDoesNotDependOnTheNumberOfPeers() throws SQLException {
        assertThat(statementsForPeers(300)).isEqualTo(statementsForPeers(3)).isPositive();
        assertThat(
                        query(
                                "SELECT count(*), count(*) FILTER (WHERE synchronized_until IS NULL) FROM bmp.table_synchronization"))
                .containsExactly("606|0");
        assertThat(query("SELECT count(*) FROM bmp.rib_ended")).containsExactly("606");
    }

    /** Writes tables of peers with their End-of-RIB, then their Peer Down in another transaction. */
    private int statementsForPeers(int count) throws SQLException {
        TestBatch up = of("r" + count, 1, 0).session(EventKind.SESSION_UP);
        TestBatch down = of("r" + count, 1, 1);
        for (int i = 0; i < count; i++) {
            for (RibView view : List.of(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_IN_POST_POLICY)) {
                up.dump().announce(peer(11, i, view), "10.0.0.0/8", 1).endOfRib(peer(11, i, view), Family.IPV4_UNICAST);
            }
            down.peerDown(peer(11, i, RibView.ADJ_RIB_IN_PRE_POLICY), true);
        }
        return statements(up, down);
    }

    /** More than this many changes of tables are written in several parts. */
    @Test
    void changesOfTablesAreWrittenBeforeThereAreTooMany() throws SQLException {
        assertThat(statementsForEnds(17)).isEqualTo(statementsForEnds(1) + 1);
        assertThat(query("SELECT count(*) FROM bmp.rib_end_of_rib")).containsExactly("18000");
    }

    /** Writes the End-of-RIB of a thousand tables of each peer; all of 17 peers are more than 2^14. */
    private int statementsForEnds(int peers) throws SQLException {
        TestBatch batch = of("r" + peers, 1, 0).session(EventKind.SESSION_UP);
        for (int i = 0; i < 1000 * peers; i++) {
            int family = Family.of(3 + i % 1000 / 256, i % 1000 % 256);
            batch.endOfRib(peer(11, i / 1000, RibView.ADJ_RIB_IN_PRE_POLICY), family);
        }
        return statements(batch);
    }

    /** Writes batches, each in a transaction. @return the number of statements, without those of COPY and merges */
    private int statements(TestBatch... batches) throws SQLException {
        AtomicInteger statements = new AtomicInteger();
        try (Connection connection = database.getConnection()) {
            Connection counting = (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                        statements.addAndGet(method.getName().equals("prepareStatement") ? 1 : 0);
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
            for (TestBatch batch : batches) {
                LaneTransaction.run(counting, writer.prepareBatches(connection, List.of(batch.build()))::write);
            }
        }
        return statements.get();
    }

    private static CurrentStateWriter inPartsOf(int mostChanges) {
        return new CurrentStateWriter(
                new DimensionCache(100),
                new AttributeSets(8),
                false,
                new TableDumps(TableDumps.DEFAULT_BYTES),
                mostChanges);
    }

    @Test
    void soManyChangesAreMergedBeforeMoreAreFolded() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("""
                    CREATE TABLE merged (routes bigint);
                    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                      INSERT INTO merged SELECT count(*) FROM made;
                      RETURN NULL;
                    END $$;
                    CREATE TRIGGER note AFTER INSERT ON bmp.rib_route REFERENCING NEW TABLE AS made
                      FOR EACH STATEMENT EXECUTE FUNCTION note()""");
            TestBatch batch = of(1, 0);
            for (int i = 0; i < 7; i++) {
                batch.announce(i + ".0.0.0/8", 2);
            }
            assertThat(LaneTransaction.run(
                            connection, inPartsOf(3).prepareBatches(connection, List.of(batch.build()))::write))
                    .isEqualTo(7);
        }
        assertThat(query("SELECT routes FROM merged")).containsExactly("3", "3", "1");
        assertThat(query("SELECT count(*), min(med) FROM bmp.v_rib")).containsExactly("7|2");
    }

    /**
     * Wherever a part ends: what a dump repeats is recorded once more, and routes of an older session are confirmed.
     */
    @Test
    void theSizeOfPartsDoesNotMatter() throws SQLException {
        List<RouteBatch> events = new ArrayList<>();
        for (int session = 1; session <= 2; session++) {
            TestBatch batch = of(session, session)
                    .session(EventKind.SESSION_UP)
                    .peerUp(PEER)
                    .dump();
            for (int i = 0; i < 20; i++) {
                String prefix = i * 7 % 5 + session + ".0.0.0/8";
                if (i % 6 == 5) {
                    batch.withdraw(prefix);
                } else {
                    batch.announce(prefix, i % 3);
                }
            }
            events.add(batch.build());
        }
        String history = "SELECT session_id, sequence, event, prefix, med FROM bmp.v_route_history ORDER BY 1, 2";
        String state = "SELECT prefix, med, first_seen, last_changed, stale FROM bmp.v_rib ORDER BY 1";
        write(events);
        for (int part = 1; part <= 5; part++) {
            DataSource inParts = TestPostgres.database();
            try (Connection connection = inParts.getConnection()) {
                LaneTransaction.run(connection, inPartsOf(part).prepareBatches(connection, events)::write);
            }
            assertThat(TestPostgres.query(inParts, history))
                    .as("parts of %d", part)
                    .isEqualTo(query(history));
            assertThat(TestPostgres.query(inParts, state))
                    .as("parts of %d", part)
                    .isEqualTo(query(state));
        }
    }

    private static List<RouteBatch> randomEvents(Random random) {
        List<PeerEntry> peers = List.of(PEER, POST, TWIN, OTHER);
        List<RouteBatch> events = new ArrayList<>();
        long session = 1;
        for (int i = 0; i < 200; i++) {
            TestBatch batch = of(session, i);
            PeerEntry peer = peers.get(random.nextInt(peers.size()));
            String prefix = random.nextInt(4) + ".0.0.0/8";
            switch (random.nextInt(20)) {
                case 0 -> batch.peerDown(peer, random.nextBoolean());
                case 1 -> batch.session(EventKind.SESSION_DOWN);
                case 2 -> batch = of(++session, i).session(EventKind.SESSION_UP);
                case 3, 4, 5, 6 -> batch.withdraw(peer, prefix);
                case 7 -> batch.endOfRib(peer, random.nextBoolean() ? Family.IPV4_UNICAST : 0);
                default -> batch.announce(peer, prefix, random.nextInt(2));
            }
            events.add(batch.build());
        }
        return events;
    }

    @Test
    void redecodedRoutesDoNotChangeTheCurrentState() throws SQLException {
        write(of(2, 0).session(EventKind.SESSION_UP).announce("10.0.0.0/8", 1).withdraw("11.0.0.0/8"));
        write(of(2, 1).session(EventKind.SESSION_DOWN));
        List<String> before = query(STALE);
        write(of(2, 0).session(EventKind.SESSION_UP)
                .announce("10.0.0.0/8", 9)
                .announce("11.0.0.0/8", 9)
                .peerDown(PEER, true)
                .redecoded());
        write(of(1, 0).announce("12.0.0.0/8", 9).redecoded());
        assertThat(before).containsExactly("10.0.0.0/8|1|t");
        assertThat(query(STALE)).isEqualTo(before);
    }
}
