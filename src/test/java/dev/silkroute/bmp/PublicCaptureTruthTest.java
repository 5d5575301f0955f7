package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Other projects' captures, which are not ours to copy: read where they lie, skipped where they do not. {@code SILKROUTE_PUBLIC_CAPTURES}
 * names another folder.
 */
class PublicCaptureTruthTest {
    private static final Path FOLDER = Path.of(
            Optional.ofNullable(System.getenv("SILKROUTE_PUBLIC_CAPTURES")).orElse("../shared/captures/public"));

    @Test
    void everyMessageSaysWhatTheTruthSays() throws IOException {
        // Given
        assumeThat(FOLDER).exists();
        List<String> names;
        try (Stream<Path> files = Files.list(FOLDER)) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".jsonl.gz") && !file.contains(".state."))
                    .map(file -> file.replace(".jsonl.gz", ""))
                    .sorted()
                    .toList();
        }

        // When, then
        assertThat(names).isNotEmpty();
        for (String name : names) {
            TruthCheck.Result result = TruthCheck.check(Capture.of(FOLDER, name));
            assertThat(result.compared()).as(name).isPositive();
        }
    }
}
