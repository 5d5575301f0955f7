package dev.silkroute.rib.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.rib.store.RouteRecords;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Postings of pages that change at random, compared with a set for each page. */
class PostingsTest {
    private static final int[] VALUES = {0, 1, 64500, Integer.MAX_VALUE, Integer.MIN_VALUE, -1};
    private static final int BLOCKS_PER_PAGE = (1 << RouteRecords.PAGE_SHIFT) / Postings.ROUTES_PER_BLOCK;

    private final Postings postings = new Postings();
    private final Map<Integer, TreeSet<Long>> entriesOfPages = new HashMap<>();

    private void check(Random random, String about) {
        for (int value : VALUES) {
            int[] expected = entriesOfPages.values().stream()
                    .flatMap(TreeSet::stream)
                    .filter(entry -> (int) (entry >>> 28) == value)
                    .mapToInt(entry -> (int) (entry & (1 << 28) - 1))
                    .sorted()
                    .toArray();
            assertThat(postings.blocks(value)).as("%s, value %d", about, value).isEqualTo(expected);
            assertThat(postings.count(value)).isGreaterThanOrEqualTo(expected.length);
            assertThat(IntStream.of(expected).limit(50)).allMatch(block -> postings.contains(value, block));
            int block = random.nextInt(3000 * BLOCKS_PER_PAGE);
            assertThat(postings.contains(value, block))
                    .as("%s, value %d in block %d", about, value, block)
                    .isEqualTo(IntStream.of(expected).anyMatch(b -> b == block));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void areThoseOfThePages(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 60; step++) {
            // When
            BitSet pages = new BitSet();
            TreeSet<Long> entries = new TreeSet<>();
            for (int i = random.nextInt(step % 10 == 0 ? 2000 : 20); i >= 0; i--) {
                int page = random.nextInt(3000);
                if (!pages.get(page)) {
                    pages.set(page);
                    TreeSet<Long> own = new TreeSet<>();
                    for (int j = random.nextInt(12); j > 0; j--) {
                        int block = page * BLOCKS_PER_PAGE + random.nextInt(BLOCKS_PER_PAGE);
                        own.add(Postings.entry(VALUES[random.nextInt(VALUES.length)], block));
                    }
                    entriesOfPages.put(page, own);
                    entries.addAll(own);
                }
            }
            postings.replace(
                    pages.toLongArray(),
                    entries.stream().mapToLong(Long::longValue).toArray());
            // Then
            check(random, "seed " + seed + " after step " + step);
        }
    }
}
