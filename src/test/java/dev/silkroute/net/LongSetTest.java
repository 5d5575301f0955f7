package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LongSetTest {
    private static final int NUMBERS = 10_000;

    @Test
    void numbersAreInTheSetOnce() {
        LongSet set = new LongSet();
        for (long i = 1; i <= NUMBERS; i++) {
            assertThat(set.add(i * 16)).isTrue(); // many have the same home
        }
        for (long i = 1; i <= NUMBERS; i++) {
            assertThat(set.add(i * 16)).isFalse();
            assertThat(set.remove(i * 16 + 1)).isFalse();
        }
        for (long i = 1; i <= NUMBERS; i += 2) {
            assertThat(set.remove(i * 16)).isTrue();
        }
        LongSet copy = new LongSet();
        copy.add(1);
        copy.addAll(set);
        assertThat(copy.size()).isEqualTo(NUMBERS / 2 + 1);
        for (long i = 1; i <= NUMBERS; i++) {
            assertThat(set.remove(i * 16)).isEqualTo(i % 2 == 0);
        }
        assertThat(set.size()).isZero();
        copy.clear();
        assertThat(copy.size()).isZero();
    }
}
