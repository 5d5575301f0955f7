package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the packaged routes say must be so for all lanes alike. */
class LaneRoutesTest {
    private static List<String> values(String file, String option) throws IOException {
        try (InputStream in = LaneRoutesTest.class.getResourceAsStream("/routes/" + file)) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return Pattern.compile("\\b" + Pattern.quote(option) + ": (\\d+)")
                    .matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "history.yaml, 1, 16777216, 250",
        "current.yaml, 1, 16777216, 250",
        "lifecycle.yaml, 4, 8388608, 250",
        "json.yaml, 1, 8388608, 250",
        "openbmp.yaml, 1, 8388608, 250",
        "rib.yaml, 1, 16777216, 20",
        "flows.yaml, 1, 8388608, 100"
    })
    void everyLaneHasABoundOfBytesAndAnIntervalThatItHoldsWith(String file, int lanes, String bytes, String millis)
            throws IOException {
        assertThat(values(file, "additionalProperties.batchBytes"))
                .hasSize(lanes)
                .containsOnly(bytes);
        assertThat(values(file, "batchingIntervalMs")).hasSize(lanes).containsOnly(millis);
        assertThat(values(file, "additionalProperties.batchWithinMs"))
                .hasSize(millis.equals("250") ? 0 : lanes)
                .allMatch(millis::equals);
    }
}
