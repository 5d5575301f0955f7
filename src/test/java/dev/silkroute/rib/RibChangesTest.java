package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteChange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes reported for events. */
class RibChangesTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final byte[] ROUTE = BatchFeed.prefix(0x0A00_0000L << 32, 0, 16);

    @AutoClose
    private Rib rib = new Rib(RibConfig.ofBytes(16 << 20));

    private final BatchFeed feed = new BatchFeed();

    /** ORIGIN, AS_PATH, NEXT_HOP, MED. */
    private static byte[] ipv4(int asn, int nextHop, int med) {
        ByteSink sink = new ByteSink();
        sink.u8(0x50).u8(1).u16(1).u8(0);
        sink.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(asn);
        sink.u8(0x50).u8(3).u16(4).u32(nextHop);
        sink.u8(0x90).u8(4).u16(4).u32(med);
        return sink.toByteArray();
    }

    /** ORIGIN, optional AS_PATH and MED, and the abbreviated MP_REACH_NLRI of the wire format for IPv6 unicast. */
    private static byte[] ipv6(int asn, int nextHop, int med) {
        ByteSink sink = new ByteSink();
        sink.u8(0x50).u8(1).u16(1).u8(0);
        if (asn != 0) {
            sink.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(asn);
        }
        if (med != 0) {
            sink.u8(0x90).u8(4).u16(4).u32(med);
        }
        sink.u8(0x90)
                .u8(14)
                .u16(20)
                .u16(2)
                .u8(1)
                .u8(16)
                .i64(0x2001_0DB8_0000_0000L)
                .i64(nextHop);
        return sink.toByteArray();
    }

    private List<String> apply(RouteBatch batch) {
        BatchOutcomes outcomes = new BatchOutcomes(true);
        rib.apply(batch, outcomes);
        List<String> changes = new ArrayList<>();
        for (byte code : outcomes.changes()) {
            changes.add(RouteChange.of(code).text());
        }
        int counted = 0;
        for (RouteOutcome outcome : RouteOutcome.values()) {
            counted += outcomes.count(outcome);
        }
        assertThat(counted).isEqualTo(outcomes.size());
        return changes;
    }

    private void of(int shards) {
        rib.close();
        rib = new Rib(new RibConfig(shards, 64 << 20, 1 << 10, 1024));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void everyEventReportsWhatItChanged(int shards) {
        of(shards);
        int family = Family.IPV4_UNICAST;
        assertThat(apply(feed.begin("r", 1)
                        .peerUp(PEER)
                        .announce(PEER, family, null, ROUTE, ipv4(64500, 1, 10))
                        .announce(PEER, family, null, ROUTE, ipv4(64500, 1, 10))
                        .announce(PEER, family, null, ROUTE, ipv4(64500, 1, 20))
                        .announce(PEER, family, null, ROUTE, ipv4(64500, 2, 20))
                        .announce(PEER, family, null, ROUTE, ipv4(64501, 2, 20))
                        .withdraw(PEER, family, null, ROUTE)
                        .withdraw(PEER, family, null, ROUTE)
                        .announce(PEER, family, null, ROUTE, ipv4(64501, 2, 20))
                        .endOfRib(PEER, family)
                        .build()))
                .containsExactly(
                        "",
                        "new",
                        "none",
                        "attributes",
                        "implicit-withdraw",
                        "implicit-withdraw",
                        "withdraw",
                        "unknown",
                        "new",
                        "");
        assertThat(apply(feed.begin("r", 2)
                        .peerUp(PEER)
                        .announce(PEER, family, null, ROUTE, ipv4(64501, 2, 20))
                        .announce(PEER, family, null, ROUTE, ipv4(64501, 2, 30))
                        .build()))
                .containsExactly("", "confirmed", "attributes");
        assertThat(apply(feed.begin("r", 1).withdraw(PEER, family, null, ROUTE).build()))
                .containsExactly("ignored");
        assertThat(apply(feed.begin("r", 2)
                        .peerDown(PEER, true)
                        .announce(PEER, family, null, ROUTE, ipv4(64501, 2, 30))
                        .build()))
                .containsExactly("", "new");
        assertThat(rib.statistics().outcomes().get(RouteOutcome.CHANGED)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aChangedNextHopInMpReachNlriIsAPathChange(int shards) {
        of(shards);
        int family = Family.IPV6_UNICAST;
        byte[] route = BatchFeed.prefix(0x2001_0DB8_0001_0000L, 0, 48);
        assertThat(apply(feed.begin("r", 1)
                        .announce(PEER, family, null, route, ipv6(64500, 1, 0))
                        .announce(PEER, family, null, route, ipv6(64500, 1, 7))
                        .announce(PEER, family, null, route, ipv6(64500, 2, 7))
                        .announce(PEER, family, null, route, ipv6(0, 2, 7))
                        .announce(PEER, family, null, route, ipv6(0, 2, 0))
                        .build()))
                .containsExactly("new", "attributes", "implicit-withdraw", "implicit-withdraw", "attributes");
    }
}
