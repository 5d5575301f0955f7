package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.rib.store.AttributeStore;
import dev.silkroute.rib.trie.PrefixBits;
import dev.silkroute.route.PeerEntry;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes accepted after a RIB was at its memory bound and routes were removed. */
class RibBoundTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final long LIMIT = 32L << 20;
    /** More routes than the limit allows. */
    private static final int TABLE = 140_000;

    private final BatchFeed feed = new BatchFeed();
    private final Rib rib = new Rib(new RibConfig(1, LIMIT, 100, 1000));

    /** @return the number of new routes; all others were rejected */
    private int announce(int family, byte[][] nlri, IntFunction<byte[]> attributes) {
        BatchOutcomes outcomes = new BatchOutcomes();
        int announced = 0;
        int rejected = 0;
        for (int from = 0; from < nlri.length; from += 500) {
            feed.begin("r", 1);
            for (int i = from; i < Math.min(nlri.length, from + 500); i++) {
                feed.announce(PEER, family, null, nlri[i], attributes.apply(i));
            }
            rib.apply(feed.build(), outcomes);
            announced += outcomes.count(RouteOutcome.NEW);
            rejected += outcomes.count(RouteOutcome.REJECTED);
        }
        assertThat(announced + rejected).isEqualTo(nlri.length);
        assertThat(rib.statistics().reservedBytes()).isLessThanOrEqualTo(LIMIT);
        return announced;
    }

    private void peerDown(long batch) {
        rib.apply(feed.begin("r", 1).peerDown(PEER, true).build());
        while (rib.purge(batch)) {}
        rib.purge(1);
        RibStatistics empty = rib.statistics();
        assertThat(empty.prefixes() + empty.attributeSets() + empty.hidden() + empty.pendingReclaim())
                .isZero();
        assertThat(empty.reservedBytes()).isLessThanOrEqualTo(LIMIT);
    }

    /** Prefixes of /29 to /48, each once. */
    private static byte[][] ipv6(int count) {
        Random random = new Random(1);
        byte[][] prefixes = new byte[count][];
        for (int i = 0; i < count; i++) {
            int length = 29 + random.nextInt(20);
            long high = 2L << 60 | (long) (i * 0x9E37_79B1 >>> 4) << 32 | random.nextLong(1L << 32);
            prefixes[i] = BatchFeed.prefix(PrefixBits.maskHigh(high, length), 0, length);
        }
        return prefixes;
    }

    private static byte[][] ipv4(int count) {
        byte[][] prefixes = new byte[count][];
        for (int i = 0; i < count; i++) {
            prefixes[i] = BatchFeed.ipv4(i << 8, 24);
        }
        return prefixes;
    }

    private static byte[] attributes(int origin, int communities) {
        byte[] short_ = BatchFeed.attributes(1 + origin, 0);
        ByteSink sink = new ByteSink();
        sink.bytes(short_, 0, short_.length).u8(0xD0).u8(8).u16(4 * communities);
        for (int i = 0; i < communities; i++) {
            sink.u32(origin * 31 + i);
        }
        return sink.toByteArray();
    }

    private int fill(byte[][] table) {
        int accepted = announce(Family.IPV6_UNICAST, table, i -> BatchFeed.attributes(1 + i % 20_000, 0));
        assertThat(accepted).isBetween(50_000, TABLE - 1000);
        return accepted;
    }

    @Test
    void acceptsAsManyRoutesAgainAfterAllWereRemoved() {
        byte[][] table = ipv6(TABLE);
        int first = fill(table);
        for (int round = 0; round < 3; round++) {
            peerDown(100_000);
            assertThat(announce(Family.IPV6_UNICAST, table, i -> BatchFeed.attributes(1 + i % 20_000, 0)))
                    .as("round %s", round)
                    .isEqualTo(first);
        }
    }

    @Test
    void aTableThatIsSentAgainInAnotherOrderStaysWithinTheBound() {
        byte[][] table = ipv6(TABLE);
        int accepted = fill(table);
        Integer[] order = new Integer[TABLE];
        Arrays.setAll(order, i -> i);
        Collections.shuffle(Arrays.asList(order), new Random(2));
        BatchOutcomes outcomes = new BatchOutcomes();
        int confirmed = 0;
        for (int from = 0; from < TABLE; from += 500) {
            feed.begin("r", 2);
            for (int i = from; i < from + 500; i++) {
                feed.announce(
                        PEER,
                        Family.IPV6_UNICAST,
                        null,
                        table[order[i]],
                        BatchFeed.attributes(1 + order[i] % 20_000, 0));
            }
            rib.apply(feed.build(), outcomes);
            confirmed += outcomes.count(RouteOutcome.CONFIRMED);
            assertThat(outcomes.count(RouteOutcome.CONFIRMED)
                            + outcomes.count(RouteOutcome.NEW)
                            + outcomes.count(RouteOutcome.REJECTED))
                    .isEqualTo(500);
            assertThat(rib.statistics().reservedBytes()).isLessThanOrEqualTo(LIMIT);
        }
        assertThat(confirmed).isEqualTo(accepted);
        assertThat(rib.size()).isGreaterThanOrEqualTo(accepted);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 41, 60, 80, 100})
    void acceptsLongAttributeSetsAfterShortOnesWereRemoved(int communities) {
        byte[][] table = ipv4(120_000);
        int most = announce(Family.IPV4_UNICAST, table, i -> attributes(i, communities));
        assertThat(most).isBetween(10_000, 110_000);
        peerDown(1000);
        assertThat(announce(Family.IPV4_UNICAST, ipv4(most), i -> BatchFeed.attributes(1 + i, 0)))
                .isEqualTo(most);
        peerDown(1000);

        // Blocks of one length are cut from free blocks of others, whose remainders may be too short.
        assertThat(announce(Family.IPV4_UNICAST, table, i -> attributes(i, communities)))
                .isCloseTo(most, withinPercentage(1));
    }

    /** Unknown attributes of a total size. */
    private static byte[] unknown(int bytes) {
        ByteSink sink = new ByteSink();
        for (int left = 9; left > 0; left--) {
            int length = (bytes - sink.position()) / left - 4;
            sink.u8(0xD0).u8(250 - left).u16(length).bytes(new byte[length], 0, length);
        }
        return sink.toByteArray();
    }

    @Test
    void onlyTheRouteOfATooLongAttributeSetIsRejected() {
        BatchOutcomes outcomes = new BatchOutcomes();
        feed.begin("r", 1)
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0, 24), unknown(AttributeStore.MAX_BYTES))
                .announce(
                        PEER,
                        Family.IPV4_UNICAST,
                        null,
                        BatchFeed.ipv4(1 << 8, 24),
                        unknown(AttributeStore.MAX_BYTES + 1))
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(2 << 8, 24), unknown(9 * 60_000))
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(3 << 8, 24), BatchFeed.attributes(1, 0));
        rib.apply(feed.build(), outcomes);

        assertThat(outcomes.count(RouteOutcome.NEW)).isEqualTo(2);
        assertThat(outcomes.count(RouteOutcome.REJECTED)).isEqualTo(2);
        assertThat(rib.statistics().rejected()).isEqualTo(2);
    }

    @Test
    void purgingManyRoutesAtOnceStaysWithinTheBound() {
        byte[][] table = ipv4(300_000);
        assertThat(announce(Family.IPV4_UNICAST, table, i -> BatchFeed.attributes(1, 0)))
                .isEqualTo(table.length);

        peerDown(100_000);

        assertThat(announce(Family.IPV4_UNICAST, table, i -> BatchFeed.attributes(1, 0)))
                .isEqualTo(table.length);
    }

    @Test
    void routesBeyondTheTableLimitAreRejectedUntilThePeerGoesDownOrSendsAgain() {
        PeerEntry other = BatchFeed.peer(2, RibView.ADJ_RIB_IN_PRE_POLICY);
        byte[] set = BatchFeed.attributes(1, 0);
        try (Rib one = new Rib(new RibConfig(1, LIMIT, 1, 1000))) {
            one.apply(feed.begin("r", 1)
                    .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0, 8), set)
                    .announce(PEER, Family.IPV6_UNICAST, null, BatchFeed.prefix(0, 0, 8), set)
                    .announce(other, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0, 8), set)
                    .build());
            assertThat(one.statistics().rejectedTotal()).isEqualTo(2);
            assertThat(one.statistics().rejected()).isEqualTo(2);
            assertThat(one.statistics().hasRejected()).isTrue();

            one.apply(feed.begin("r", 1).peerDown(other, true).build());
            assertThat(one.statistics().rejected()).isEqualTo(1);

            one.apply(feed.begin("r", 2).peerUp(PEER).build());
            assertThat(one.statistics().hasRejected()).isFalse();
            assertThat(one.statistics().rejectedTotal()).isEqualTo(2);
        }
    }
}
