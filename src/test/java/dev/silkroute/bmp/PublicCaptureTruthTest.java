package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.endtoend.PublicCaptures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares every message of other projects' captures with the output of another decoder. */
class PublicCaptureTruthTest {
    @Test
    void everyMessageAgreesWithTheTruth() throws IOException {
        // Given
        Path folder = PublicCaptures.folder();
        List<String> names;
        try (Stream<Path> files = Files.list(folder)) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".jsonl.gz") && !file.contains(".state."))
                    .map(file -> file.replace(".jsonl.gz", ""))
                    .sorted()
                    .toList();
        }

        // When, then
        assertThat(names).isNotEmpty();
        Map<DecodeOutcome.Kind, Integer> outcomes = new EnumMap<>(DecodeOutcome.Kind.class);
        for (String name : names) {
            TruthCheck.Result result = TruthCheck.check(Capture.of(folder, name));
            assertThat(result.compared()).as(name).isPositive();
            assertThat(result.quarantined()).as(name).isZero();
            result.outcomes().forEach((kind, count) -> outcomes.merge(kind, count, Integer::sum));
        }
        // Two-octet paths without the A flag, and routes without NEXT_HOP; nothing else is wrong with these routers'
        // messages.
        assertThat(outcomes)
                .containsOnly(
                        Map.entry(DecodeOutcome.Kind.AS_SIZE_MISMATCH, 7),
                        Map.entry(DecodeOutcome.Kind.MISSING_NEXT_HOP, 467));
    }
}
