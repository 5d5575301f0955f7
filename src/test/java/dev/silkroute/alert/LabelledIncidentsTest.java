package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each incident is reported and closed, and hardly anything else is. */
class LabelledIncidentsTest {
    @Test
    void allIncidentsAndHardlyAnythingElseIsReported() {
        long seed = 26;
        LabelledIncidents incidents = new LabelledIncidents(seed);
        TreeSet<String> reported = new TreeSet<>();
        List<String> changes = incidents.feed.changes();
        changes.stream().filter(change -> change.startsWith("opened")).forEach(reported::add);
        TreeSet<String> expected = new TreeSet<>(incidents.labels);
        TreeSet<String> found = new TreeSet<>(expected);
        found.retainAll(reported);
        long right = changes.stream().filter(expected::contains).count();
        long opened =
                changes.stream().filter(change -> change.startsWith("opened")).count();

        assertThat(incidents.labels).hasSizeGreaterThanOrEqualTo(LabelledIncidents.INCIDENTS);
        assertThat(found).as("recall with seed %d", seed).isEqualTo(expected);
        assertThat(right).as("incidents").isEqualTo(incidents.labels.size());
        assertThat((double) right / opened).as("precision with seed %d", seed).isGreaterThanOrEqualTo(0.99);
        assertThat(changes.stream().filter(change -> change.startsWith("closed")))
                .hasSize((int) opened);
        assertThat(incidents.feed.engine.openAlerts()).isZero();
    }
}
