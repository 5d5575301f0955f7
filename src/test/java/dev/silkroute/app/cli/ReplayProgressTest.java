package dev.silkroute.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplayProgressTest {
    @Test
    void aLineForLogs() {
        assertThat(ReplayProgress.line(3 << 20, 12 << 20, 2))
                .isEqualTo("replay: 3.0 of 12.0 MiB (25 %), 1.5 MiB/s, 0:00:06 left");
        assertThat(ReplayProgress.line(0, 12 << 20, 2)).isEqualTo("replay: 0.0 of 12.0 MiB (0 %), 0.0 MiB/s, waiting");
        assertThat(ReplayProgress.line(0, 0, 0)).contains("(100 %)");
    }
}
