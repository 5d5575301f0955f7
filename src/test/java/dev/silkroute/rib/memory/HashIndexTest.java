package dev.silkroute.rib.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TableWork;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Adding and removing entries, also if only the upper bits of their hashes are known. */
class HashIndexTest {
    private static final int ENTRIES = 20_000;
    /** Hashes of few parts, so that each has many entries and grows. */
    private static final int PARTS = 4;

    private final HashIndex index = new HashIndex(new MemoryBudget(1 << 30));
    private final Map<Integer, Integer> hashes = new HashMap<>();
    private final Random random = new Random(7);

    private boolean has(int hash, int id) {
        long[] part = index.part(hash);
        int slot = HashIndex.home(part, hash);
        for (long entry = HashIndex.slot(part, slot); entry != 0; entry = HashIndex.slot(part, slot)) {
            if (HashIndex.hasHash(entry, hash) && HashIndex.id(entry) == id) {
                return true;
            }
            slot = HashIndex.nextSlot(part, slot);
        }
        return false;
    }

    private void add(int id) {
        int hash = random.nextInt(PARTS) << 24 | random.nextInt(1 << 24);
        index.add(hash, id);
        hashes.put(id, hash);
    }

    private void isWhatWasAdded() {
        assertThat(index.size()).isEqualTo(hashes.size());
        assertThat(hashes).allSatisfy((id, hash) -> assertThat(has(hash, id)).isTrue());
    }

    @Test
    void keysThatAreNeighborsWithoutTheSecretAreNotWithIt() {
        int[] neighbors = IntStream.range(0, 1 << 24)
                .filter(pathId -> HashIndex.mix(pathId, 0) >>> 18 == 0)
                .toArray();
        assertThat(neighbors.length).as("chosen without the secret").isGreaterThan(900);
        assertThat(Arrays.stream(neighbors)
                        .filter(pathId -> HashIndex.mix(pathId) >>> 18 == 0)
                        .count())
                .isLessThan(20);
        TableWork.assertAtMostTwice(
                work(Arrays.stream(neighbors)), work(new Random(1).ints(neighbors.length, 0, 1 << 24)));
    }

    private static long work(IntStream pathIds) {
        HashIndex index = new HashIndex(new MemoryBudget(1 << 30));
        pathIds.forEach(pathId -> index.add(HashIndex.mix(pathId), 1));
        return TableWork.ofIndex(index);
    }

    @Test
    void theUpperBitsOfTheHashSufficeToRemoveAnEntry() {
        for (int id = 1; id <= ENTRIES; id++) {
            add(id);
        }
        for (int round = 0; round < ENTRIES; round++) {
            int id = 1 + random.nextInt(ENTRIES);
            Integer hash = hashes.remove(id);
            if (hash == null) {
                add(id);
            } else {
                int known = 8 + random.nextInt(25);
                index.remove(hash & -1 << 32 - known, id);
                assertThat(has(hash, id)).isFalse();
            }
        }
        isWhatWasAdded();
    }

    @Test
    void entriesWithEqualHashesAreRemovedIndividually() {
        for (int id = 1; id <= 100; id++) {
            index.add(0x0100_0000, id);
        }
        for (int id = 100; id > 0; id -= 3) {
            index.remove(0x0100_0000, id);
        }
        for (int id = 1; id <= 100; id++) {
            assertThat(has(0x0100_0000, id)).as("id %d", id).isEqualTo((100 - id) % 3 != 0);
        }
    }
}
