package dev.silkroute.rib.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class ChangedPagesTest {
    private final ChangedPages pages = new ChangedPages();

    private List<Integer> take() {
        return BitSet.valueOf(pages.take()).stream().boxed().toList();
    }

    @Test
    void eachPageIsTakenOnceAfterItHasBeenPublished() {
        assertThat(take()).isEmpty();
        pages.add(1);
        pages.add(1);
        pages.add(70);
        pages.add(1);
        assertThat(take()).isEmpty();
        pages.publish();
        assertThat(take()).containsExactly(1, 70);
        assertThat(take()).isEmpty();
        pages.publish();
        assertThat(take()).isEmpty();
    }

    @Test
    void anyNumberOfPagesOfABatchIsPublished() {
        List<Integer> expected = new ArrayList<>();
        for (int page = 1; page < 1_000_000; page += 333) {
            pages.add(page);
            expected.add(page);
        }
        pages.publish();
        assertThat(take()).isEqualTo(expected);
    }

    @Test
    void theLastChangeOfEveryPageIsSeenByAThreadThatTakesIt() throws Exception {
        // Given
        int count = 300;
        AtomicIntegerArray changed = new AtomicIntegerArray(count);
        AtomicIntegerArray seen = new AtomicIntegerArray(count);
        AtomicBoolean done = new AtomicBoolean();
        try (var threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> takers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                takers.add(threads.submit(() -> {
                    boolean last;
                    do {
                        last = done.get();
                        BitSet.valueOf(pages.take()).stream()
                                .forEach(page -> seen.accumulateAndGet(page, changed.getPlain(page), Math::max));
                    } while (!last);
                }));
            }
            // When
            Random random = new Random(1);
            for (int i = 0; i < 300_000; i++) {
                int page = random.nextInt(count);
                changed.setPlain(page, changed.getPlain(page) + 1);
                pages.add(page);
                if (random.nextInt(4) == 0) {
                    pages.publish();
                }
            }
            pages.publish();
            done.set(true);
            for (Future<?> taker : takers) {
                taker.get();
            }
        }
        // Then
        for (int page = 0; page < count; page++) {
            assertThat(seen.get(page)).as("page %d", page).isEqualTo(changed.get(page));
        }
    }
}
