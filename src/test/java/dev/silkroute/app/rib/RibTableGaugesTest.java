package dev.silkroute.app.rib;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.rib.RibTableGauges.Counts;
import dev.silkroute.app.rib.RibTableGauges.Peer;
import dev.silkroute.app.rib.RibTableGauges.PeerTable;
import dev.silkroute.app.rib.RibTableGauges.RouterTable;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibTable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Routes by router and by peer, within the limit of metrics. */
class RibTableGaugesTest {
    private record Table(RibPeer peer, int peerAsn, RibView view, int family, long routes, long stale)
            implements RibTable {}

    private static RibTable table(String router, int address, int bgpId, RibView view, long routes, long stale) {
        RibPeer peer = new RibPeer(router, 0, 0, false, 0, 0xc0000200L + address, bgpId);
        return new Table(peer, 64500, view, Family.IPV4_UNICAST, routes, stale);
    }

    @Test
    void tablesAreAddedUpByRouterAndByPeer() {
        // Given: a table in two shards, another view, and the same address with another BGP ID
        List<RibTable> tables = List.of(
                table("r1", 1, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 10, 1),
                table("r1", 1, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 20, 2),
                table("r1", 1, 1, RibView.LOC_RIB, 5, 0),
                table("r1", 1, 2, RibView.ADJ_RIB_IN_PRE_POLICY, 100, 0),
                table("r2", 1, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 7, 7),
                table("r3", 1, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 0, 0));
        // When
        Counts counts = Counts.of(tables, 10);
        // Then
        assertThat(counts.routerRoutes)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        new RouterTable("r1", RibView.ADJ_RIB_IN_PRE_POLICY, Family.IPV4_UNICAST), 130L,
                        new RouterTable("r1", RibView.LOC_RIB, Family.IPV4_UNICAST), 5L,
                        new RouterTable("r2", RibView.ADJ_RIB_IN_PRE_POLICY, Family.IPV4_UNICAST), 7L));
        assertThat(counts.routerStale).containsExactlyInAnyOrderEntriesOf(Map.of("r1", 3L, "r2", 7L));
        Peer peer = new Peer("r1", "192.0.2.1");
        assertThat(counts.peerRoutes)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        new PeerTable(peer, RibView.ADJ_RIB_IN_PRE_POLICY), 130L,
                        new PeerTable(peer, RibView.LOC_RIB), 5L,
                        new PeerTable(new Peer("r2", "192.0.2.1"), RibView.ADJ_RIB_IN_PRE_POLICY), 7L));
        assertThat(counts.omittedPeers).isZero();
    }

    @Test
    void theOldestHaveMetricsAtTheLimit() {
        // Given
        List<RibTable> tables = List.of(
                table("r1", 1, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 1, 0),
                table("r1", 2, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 1, 0),
                table("r2", 3, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 1, 0),
                table("r3", 4, 1, RibView.ADJ_RIB_IN_PRE_POLICY, 1, 0),
                table("r3", 4, 1, RibView.LOC_RIB, 1, 0),
                table("r1", 1, 1, RibView.LOC_RIB, 1, 0));
        // When
        Counts counts = Counts.of(tables, 2);
        // Then
        assertThat(counts.routerStale).containsOnlyKeys("r1", "r2");
        assertThat(counts.peerRoutes.keySet())
                .extracting(table -> table.peer().address())
                .containsOnly("192.0.2.1", "192.0.2.2");
        assertThat(counts.peerRoutes).hasSize(3);
        assertThat(counts.omittedPeers).isEqualTo(2);
    }

    @Test
    void tablesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new RouterTable(text(i), RibView.LOC_RIB, Family.EVPN));
        assertKeyed(i -> new Peer(text(i), "192.0.2.1"));
        assertKeyed(i -> new PeerTable(new Peer("r", text(i)), RibView.LOC_RIB));
    }
}
