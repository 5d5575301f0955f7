package dev.silkroute.rib.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.rib.memory.MemoryBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counting of routes per AS number, within the paged range and beyond it. */
class OriginsTest {
    private final MemoryBudget memory = new MemoryBudget(1 << 30);
    private final Origins origins = new Origins(memory);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1023, 1024, 23456, 64_512, 65_536, 524_287, 524_288, 4_200_000_000L, 4_294_967_295L})
    void countsUpAndDown(long asn) {
        int number = (int) asn;
        assertThat(origins.routes(number)).isZero();
        origins.count(number, 1);
        origins.count(number, 2);
        assertThat(origins.routes(number)).isEqualTo(3);
        assertThat(origins.routes(number - 1)).isZero();
        assertThat(origins.routes(number + 1)).isZero();
        origins.count(number, -3);
        assertThat(origins.routes(number)).isZero();
    }

    @Test
    void memoryIsReservedForTheNumbersInUse() {
        origins.count(65_000, 1);
        long one = memory.reserved();
        origins.count(65_001, 1);
        assertThat(one).isPositive();
        assertThat(memory.reserved()).isEqualTo(one);
        for (int asn = 0; asn < 1 << 19; asn++) {
            origins.count(asn, 1);
        }
        assertThat(memory.reserved()).isEqualTo(4L << 19);
    }
}
