package dev.silkroute.rib.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TableWork;
import dev.silkroute.rib.memory.MemoryBudget;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
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

    /** The hash without its key, which is 0, and with constant factors: that of an earlier version. */
    private static int unkeyed(int asn) {
        int h = (asn ^ asn >>> 16) * 0x7FEB352D;
        h = (h ^ h >>> 15) * 0x846CA68B;
        return h ^ h >>> 16;
    }

    @Test
    void numbersThatAreNeighborsUnderAKnownFunctionAreSpread() {
        int[] neighbors = IntStream.range(0, 1 << 26)
                .filter(asn -> unkeyed(asn) >>> 18 == 0)
                .toArray();
        assertThat(neighbors.length).isGreaterThan(3000);
        assertThat(Arrays.stream(neighbors)
                        .filter(asn -> Origins.hash(asn) >>> 18 == 0)
                        .count())
                .isLessThan(40);
        assertThat(Arrays.stream(neighbors).map(Origins::hash).distinct().count())
                .isEqualTo(neighbors.length);
        TableWork.assertAtMostTwice(
                work(Arrays.stream(neighbors)), work(new Random(1).ints(neighbors.length, 1 << 20, 1 << 26)));
    }

    private long work(IntStream asns) {
        Origins table = new Origins(memory);
        asns.forEach(asn -> table.count(asn, 1));
        return TableWork.ofIndex(table, "others");
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
