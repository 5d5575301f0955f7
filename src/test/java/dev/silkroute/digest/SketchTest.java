package dev.silkroute.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SketchTest {
    private final Random random = new Random(1);

    private long hash() {
        return random.nextLong() | 1;
    }

    @Test
    void aMillionRoutesOfWhichThreeDiffer() {
        // Given: two sketches of the same million routes
        Sketch here = new Sketch(64);
        Sketch there = new Sketch(64);
        for (int i = 0; i < 1_000_000; i++) {
            long route = hash();
            long key = hash();
            here.add(route, key);
            there.add(route, key);
        }
        // When: each has a route that is not in the other, and one has changed
        RouteDifference onlyHere = new RouteDifference(1, hash(), 0);
        RouteDifference onlyThere = new RouteDifference(2, 0, hash());
        RouteDifference changed = new RouteDifference(3, hash(), hash());
        here.add(onlyHere.here(), 1);
        there.add(onlyThere.there(), 2);
        here.add(changed.here(), 3);
        there.add(changed.there(), 3);
        // Then
        byte[] sent = there.toBytes();
        assertThat(sent).hasSize(1536);
        Optional<List<RouteDifference>> differences = here.differences(Sketch.of(sent));
        assertThat(differences).isPresent();
        assertThat(differences.get()).containsExactlyInAnyOrder(onlyHere, onlyThere, changed);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 512, 4096, 32768})
    void halfAsManyDifferencesAsCellsAreFound(int cells) {
        Sketch here = new Sketch(cells);
        Sketch there = new Sketch(cells);
        List<RouteDifference> planted = IntStream.range(0, cells / 2)
                .mapToObj(
                        i -> i % 2 == 0 ? new RouteDifference(i + 1, hash(), 0) : new RouteDifference(i + 1, 0, hash()))
                .toList();
        for (RouteDifference difference : planted) {
            if (difference.here() != 0) {
                here.add(difference.here(), difference.key());
            } else {
                there.add(difference.there(), difference.key());
            }
        }
        assertThat(here.differences(there).orElseThrow()).containsExactlyInAnyOrderElementsOf(planted);
    }

    @Test
    void tooManyDifferencesAreReportedAsSuch() {
        Sketch here = new Sketch(64);
        for (int i = 0; i < 200; i++) {
            here.add(hash(), hash());
        }
        assertThat(here.differences(new Sketch(64))).isEmpty();
    }

    /** A twin may send anything. */
    @Test
    void arbitraryCellsEnd() {
        for (int round = 0; round < 1000; round++) {
            byte[] bytes = new byte[16 * Sketch.CELL_BYTES];
            random.nextBytes(bytes);
            for (int cell = 0; cell < 16; cell++) {
                bytes[cell * Sketch.CELL_BYTES] = 0;
                bytes[cell * Sketch.CELL_BYTES + 1] = 0;
                bytes[cell * Sketch.CELL_BYTES + 2] = 0;
                bytes[cell * Sketch.CELL_BYTES + 3] = 1;
            }
            assertThat(Sketch.of(bytes).differences(new Sketch(16))).isEmpty();
        }
    }

    @Test
    void sizesAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Sketch(18)).withMessageContaining("multiple of 4");
        assertThatIllegalArgumentException().isThrownBy(() -> new Sketch(Sketch.MAX_CELLS + 4));
        assertThatIllegalArgumentException().isThrownBy(() -> Sketch.of(new byte[25]));
        Sketch sketch = new Sketch(64);
        assertThatIllegalArgumentException().isThrownBy(() -> sketch.differences(new Sketch(16)));
    }
}
