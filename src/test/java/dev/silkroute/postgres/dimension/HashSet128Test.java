package dev.silkroute.postgres.dimension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.CollidingKeys;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HashSet128Test {
    @Test
    void containsWhatWasAdded() {
        HashSet128 set = new HashSet128(64);
        set.add(1, 2);
        assertThat(set.contains(1, 2)).isTrue();
        assertThat(set.contains(2, 1)).isFalse();
        assertThat(set.contains(0, 0)).isFalse();
    }

    @Test
    void forgetsTheOldestFirstAndNeverMoreThanItMust() {
        HashSet128 set = new HashSet128(8); // two buckets, whatever falls into which
        for (int i = 1; i <= 100; i++) {
            set.add(i, i);
            assertThat(set.contains(i, i)).isTrue();
            assertThat(set.contains(Math.max(1, i - 7), Math.max(1, i - 7))).isTrue();
        }
        assertThat(set.contains(1, 1)).isFalse();
    }

    @Test
    void holdsMostOfItsCapacity() {
        HashSet128 set = new HashSet128(1 << 16);
        Random random = new Random(1);
        for (int i = 0; i < 1 << 15; i++) {
            set.add(random.nextLong(), random.nextLong());
        }
        Random again = new Random(1);
        int known = 0;
        for (int i = 0; i < 1 << 15; i++) {
            known += set.contains(again.nextLong(), again.nextLong()) ? 1 : 0;
        }
        assertThat(known).isGreaterThan((1 << 15) * 9 / 10);
    }

    @Test
    void hashesWithEqualHalvesFillAllBuckets() {
        HashSet128 set = new HashSet128(1 << 16);
        for (int i = 1; i <= 1 << 15; i++) {
            set.add(CollidingKeys.folded(i), CollidingKeys.folded(i));
        }
        int known = 0;
        for (int i = 1; i <= 1 << 15; i++) {
            known += set.contains(CollidingKeys.folded(i), CollidingKeys.folded(i)) ? 1 : 0;
        }
        assertThat(known).isGreaterThan((1 << 15) * 9 / 10);
    }
}
