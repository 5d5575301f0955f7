package dev.silkroute.collector.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The delays between attempts to connect. */
class BackOffTest {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration MAX = Duration.ofSeconds(30);

    @Test
    void theDelaysDoubleUpToTheMaximumAndBeginAgainAfterASuccess() {
        BackOff delays = new BackOff(FIRST, MAX, new Random(1));
        for (int round = 0; round < 2; round++) {
            for (int bound : List.of(5, 10, 20, 30, 30, 30)) {
                assertThat(delays.next()).isBetween(Duration.ofMillis(bound * 500L), Duration.ofSeconds(bound));
            }
            delays.reset();
        }
    }

    @Test
    void theDelaysOfSeveralRoutersDiffer() {
        List<Duration> delays = new ArrayList<>();
        for (int seed = 0; seed < 20; seed++) {
            delays.add(new BackOff(FIRST, MAX, new Random(seed)).next());
        }
        Set<Duration> different = new HashSet<>(delays);
        assertThat(different).hasSameSizeAs(delays);
    }

    @Test
    void theShortestDelayIsAllowed() {
        assertThat(new BackOff(Duration.ofNanos(1), Duration.ofNanos(1), new Random(1)).next())
                .isLessThanOrEqualTo(Duration.ofNanos(1));
    }
}
