package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.route.PeerEntry;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** A RIB near its bound. */
class RibBoundTest {
    private static final PeerEntry PEER = RibFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final long LIMIT = 32L << 20;

    private final RibFeed feed = new RibFeed();
    private final Rib rib = new Rib(new RibConfig(1, LIMIT, 100, 1000));

    /** @return how many were new, and all others refused */
    private int announce(int family, byte[][] nlri, IntFunction<byte[]> attributes) {
        Outcomes outcomes = new Outcomes();
        int announced = 0;
        int refused = 0;
        for (int from = 0; from < nlri.length; from += 500) {
            feed.begin("r", 1);
            for (int i = from; i < Math.min(nlri.length, from + 500); i++) {
                feed.announce(PEER, family, null, nlri[i], attributes.apply(i));
            }
            rib.apply(feed.build(), outcomes);
            announced += outcomes.count(RouteOutcome.NEW);
            refused += outcomes.count(RouteOutcome.REFUSED);
        }
        assertThat(announced + refused).isEqualTo(nlri.length);
        assertThat(rib.statistics().reservedBytes()).isLessThanOrEqualTo(LIMIT);
        return announced;
    }

    private void peerDown(long slice) {
        rib.apply(feed.begin("r", 1).peerDown(PEER, true).build());
        while (rib.sweep(slice)) {}
        rib.sweep(1);
        RibStatistics empty = rib.statistics();
        assertThat(empty.prefixes() + empty.attributeSets() + empty.hidden() + empty.waiting())
                .isZero();
        assertThat(empty.reservedBytes()).isLessThanOrEqualTo(LIMIT);
    }

    private static byte[][] ipv4(int count) {
        byte[][] prefixes = new byte[count][];
        for (int i = 0; i < count; i++) {
            prefixes[i] = RibFeed.ipv4(i << 8, 24);
        }
        return prefixes;
    }

    @Test
    void givenManyRoutesAreTakenAwayAtATimeThenItStaysWithinItsBound() {
        byte[][] table = ipv4(300_000);
        assertThat(announce(Family.IPV4_UNICAST, table, i -> RibFeed.attributes(1, 0)))
                .isEqualTo(table.length);

        peerDown(100_000);

        assertThat(announce(Family.IPV4_UNICAST, table, i -> RibFeed.attributes(1, 0)))
                .isEqualTo(table.length);
    }
}
