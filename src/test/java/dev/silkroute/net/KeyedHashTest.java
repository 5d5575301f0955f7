package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.store.ExactKeys;
import dev.silkroute.route.PeerEntry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Keys that collide under the usual hash functions, as a router could send them. With a keyed hash they fill a table as
 * random keys do.
 */
class KeyedHashTest {
    private static final int KEYS = 1 << 16;
    private static final int BUCKETS = 1 << 16;
    /** Of 2^16 random keys in as many buckets, more than 20 in one are expected once in 10^14 runs. */
    private static final int MOST_IN_A_BUCKET = 20;

    /** Checks the most keys in one bucket of a table, for the low bits and for the high bits of the hash. */
    private static void assertSpread(IntUnaryOperator hashOfKey) {
        assertThat(mostInABucket(i -> hashOfKey.applyAsInt(i) & BUCKETS - 1)).isLessThanOrEqualTo(MOST_IN_A_BUCKET);
        assertThat(mostInABucket(i -> hashOfKey.applyAsInt(i) >>> 16)).isLessThanOrEqualTo(MOST_IN_A_BUCKET);
    }

    private static int mostInABucket(IntUnaryOperator bucketOfKey) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            counts.merge(bucketOfKey.applyAsInt(i), 1, Integer::sum);
        }
        return counts.values().stream().mapToInt(count -> count).max().orElseThrow();
    }

    /** The lower half that makes 31 * high + low the same for all. */
    private static long low(long high) {
        return 0x1234567812345678L - 31 * high;
    }

    private static long high(int i) {
        return 0x20010db800000000L + i;
    }

    /** A number whose two halves are equal, so that Long.hashCode is 0. */
    private static long folded(int i) {
        return (long) i << 32 | i;
    }

    @Test
    void theInputCollidesUnderUsualFunctions() {
        assertThat(mostInABucket(i -> Long.hashCode(31 * high(i) + low(high(i)))))
                .isEqualTo(KEYS);
        assertThat(mostInABucket(i -> Long.hashCode(folded(i)))).isEqualTo(KEYS);
        assertThat(mostInABucket(i -> Arrays.hashCode(pairs(i)))).isEqualTo(KEYS);
    }

    @Test
    void pairsOfNumbersAreSpread() {
        assertSpread(i -> KeyedHash.fold(KeyedHash.of(high(i), low(high(i)))));
        assertSpread(i -> KeyedHash.fold(KeyedHash.of(folded(i), 0)));
        assertSpread(i -> KeyedHash.fold(KeyedHash.of(0, i)));
        assertSpread(i -> KeyedHash.fold(KeyedHash.of((long) i << 48, 0, 0, i)));
    }

    @Test
    void peersAreSpread() {
        assertSpread(i -> new RibPeer("r", 1, folded(i), false, 0, 1, 1).hashCode());
        assertSpread(i -> new RibPeer("r", 0, 0, true, high(i), low(high(i)), 1).hashCode());
        assertSpread(i -> entry(folded(i), 0, 0).hashCode());
        assertSpread(i -> entry(0, high(i), low(high(i))).hashCode());
    }

    private static PeerEntry entry(long distinguisher, long high, long low) {
        return new PeerEntry(1, distinguisher, true, high, low, 1, 1, RibView.LOC_RIB);
    }

    @Test
    void bytesOfNlriAreSpread() {
        assertSpread(i -> ExactKeys.hash(Family.EVPN, pairs(i), 32));
    }

    /** 16 pairs of bytes, each (b, c) or (b + 1, c - 31): 31 * b + c is the same. */
    private static byte[] pairs(int i) {
        byte[] bytes = new byte[32];
        for (int bit = 0; bit < 16; bit++) {
            boolean set = (i >>> bit & 1) == 1;
            bytes[2 * bit] = (byte) (set ? 0x42 : 0x41);
            bytes[2 * bit + 1] = (byte) (set ? 0x42 : 0x61);
        }
        return bytes;
    }
}
