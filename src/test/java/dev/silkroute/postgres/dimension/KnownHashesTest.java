package dev.silkroute.postgres.dimension;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.CollidingKeys;
import dev.silkroute.net.KeyedHash;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class KnownHashesTest {
    @Test
    void returnsTheValueOfAKey() {
        KnownHashes known = new KnownHashes(64);
        known.put(1, 2, 3, 4);
        int at = known.find(1, 2);
        assertThat(known.high(at)).isEqualTo(3);
        assertThat(known.low(at)).isEqualTo(4);
        assertThat(known.find(2, 1)).isEqualTo(KnownHashes.NONE);
        assertThat(known.find(0, 0)).isEqualTo(KnownHashes.NONE);
    }

    @Test
    void replacesTheValueOfAKeyInPlace() {
        KnownHashes known = new KnownHashes(8);
        for (int i = 1; i <= 20; i++) {
            known.put(1, 1, i, i);
        }
        known.put(2, 1, 7, 7);
        assertThat(known.high(known.find(1, 1))).isEqualTo(20);
        assertThat(known.high(known.find(2, 1))).isEqualTo(7);
    }

    @Test
    void forgetsTheOldestFirstAndNeverMoreThanItMust() {
        KnownHashes known = new KnownHashes(8); // two buckets, and every key in the same
        for (int i = 1; i <= 100; i++) {
            known.put(i, 0, i, i);
            assertThat(known.find(i, 0)).isNotEqualTo(KnownHashes.NONE);
            assertThat(known.find(Math.max(1, i - 7), 0)).isNotEqualTo(KnownHashes.NONE);
        }
        assertThat(known.find(1, 0)).isEqualTo(KnownHashes.NONE);
    }

    @Test
    void holdsMostOfItsCapacity() {
        KnownHashes known = new KnownHashes(1 << 16);
        Random random = new Random(1);
        for (int i = 0; i < 1 << 15; i++) {
            known.put(random.nextLong(), random.nextLong(), i, i);
        }
        Random again = new Random(1);
        int found = 0;
        for (int i = 0; i < 1 << 15; i++) {
            int at = known.find(again.nextLong(), again.nextLong());
            found += at != KnownHashes.NONE && known.low(at) == i ? 1 : 0;
        }
        assertThat(found).isGreaterThan((1 << 15) * 9 / 10);
    }

    @Test
    void containsNothingOnceCleared() {
        KnownHashes known = new KnownHashes(64);
        known.put(1, 2, 3, 4);
        known.clear();
        assertThat(known.find(1, 2)).isEqualTo(KnownHashes.NONE);
    }

    @Test
    void setsWhoseUnkeyedHashesAreEqualAreKeptLikeRandomOnes() {
        int random = kept(CollidingKeys::random);
        assertThat(KEYS - kept(CollidingKeys::pairs)).isLessThanOrEqualTo(2 * (KEYS - random));
        assertThat(random).isBetween(KEYS / 2, KEYS - KEYS / 100);
    }

    /** Returns how many of the sets are found after all were put into a table of as many. */
    private static int kept(IntFunction<byte[]> sets) {
        KnownHashes known = new KnownHashes(KEYS);
        for (int i = 0; i < KEYS; i++) {
            byte[] set = sets.apply(i);
            known.put(KeyedHash.of(32, set, 0, 32), KeyedHash.more(32, set, 0, 32), i, i);
        }
        int kept = 0;
        for (int i = 0; i < KEYS; i++) {
            byte[] set = sets.apply(i);
            int at = known.find(KeyedHash.of(32, set, 0, 32), KeyedHash.more(32, set, 0, 32));
            kept += at != KnownHashes.NONE && known.low(at) == i ? 1 : 0;
        }
        return kept;
    }
}
