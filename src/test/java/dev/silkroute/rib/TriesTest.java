package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.route.PeerEntry;
import org.junit.jupiter.api.Test;

/** Tries of RDs that are added and removed. */
class TriesTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final int FAMILY = Family.VPNV4;

    private final BatchFeed feed = new BatchFeed();
    private final Rib rib = new Rib(new RibConfig(1, 64L << 20, 100, 1000));

    private static long rd(int number) {
        return 64500L << 32 | number;
    }

    private static byte[] nlri(int rd, boolean withdrawal) {
        return BatchFeed.labeled(FAMILY, 16, rd(rd), 0x0A00_0000L << 32, 0, 24, withdrawal);
    }

    /** Announces default routes, each with its own RD. @return the number of new routes */
    private int announceDefaults(Rib of, int firstRd, int count) {
        BatchOutcomes outcomes = new BatchOutcomes();
        int announced = 0;
        for (int from = 0; from < count; from += 500) {
            feed.begin("r", 1);
            for (int i = from; i < from + 500; i++) {
                byte[] nlri = BatchFeed.labeled(FAMILY, 16, rd(firstRd + i), 0, 0, 0, false);
                feed.announce(PEER, FAMILY, null, nlri, BatchFeed.attributes(1, 0));
            }
            of.apply(feed.build(), outcomes);
            announced += outcomes.count(RouteOutcome.NEW);
        }
        return announced;
    }

    private void announce(int rd) {
        rib.apply(feed.begin("r", 1)
                .announce(PEER, FAMILY, null, nlri(rd, false), BatchFeed.attributes(1, 0))
                .build());
    }

    private void withdraw(int rd) {
        rib.apply(
                feed.begin("r", 1).withdraw(PEER, FAMILY, null, nlri(rd, true)).build());
    }

    @Test
    void aReaderCanReadTheRdOfARouteWhoseTrieWasRemoved() {
        announce(1);
        try (RibReader reader = rib.reader();
                RibReader other = rib.reader()) {
            RouteView view = new RouteView();
            try (RibReader.Section section = reader.enter()) {
                assertThat(reader.longestMatch(FAMILY, rd(1), 0, 0x0A000001L, RouteCondition.ANY, view))
                        .isTrue();
                withdraw(1);
                for (int rd = 100; rd < 400; rd++) {
                    announce(rd);
                    assertThat(view.nlri()).isEqualTo("64500:1 10.0.0.0/24");
                    withdraw(rd);
                }
                try (RibReader.Section now = other.enter()) {
                    assertThat(other.longestMatch(FAMILY, rd(1), 0, 0x0A000001L, RouteCondition.ANY, new RouteView()))
                            .isFalse();
                }
            }
        }
        // The tries held back by the reader are released, and their ids are reused.
        for (int rd = 400; rd < 2000; rd++) {
            announce(rd);
            withdraw(rd);
        }
        assertThat(rib.shards()[0].stores.tries.all()).hasSizeLessThan(100);
        assertThat(rib.shards()[0].stores.tries.getOrCreate(FAMILY, rd(5000)).id)
                .isLessThan(500);
    }

    @Test
    void triesOfManyRdsStayWithinTheBoundAndEmptyOnesAreRemoved() {
        long limit = 32L << 20;
        try (Rib small = new Rib(new RibConfig(1, limit, 100, 1000))) {
            small.apply(feed.begin("r", 1)
                    .announce(PEER, FAMILY, null, nlri(0, false), BatchFeed.attributes(1, 0))
                    .build());
            int first = announceDefaults(small, 1, 10_000);
            assertThat(first).isBetween(1_000, 9_000);
            assertThat(small.statistics().reservedBytes()).isLessThanOrEqualTo(limit);

            small.apply(feed.begin("r", 1).peerDown(PEER, true).build());
            while (small.purge(1000)) {}
            small.purge(1);

            assertThat(announceDefaults(small, 20_000, 10_000)).isGreaterThan(first * 95 / 100);
            assertThat(small.statistics().reservedBytes()).isLessThanOrEqualTo(limit);
        }
    }
}
