package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final Progress.Unit MIB = Progress.Unit.bytes(12 << 20);
    private static final Progress.Unit ROUTES = new Progress.Unit("routes", 1);

    @Test
    void withoutATerminalProgressIsALine() {
        assertThat(Progress.line("replay", MIB, 3 << 20, 12 << 20, 2))
                .isEqualTo("replay: 3.0 of 12.0 MiB (25 %), 1.5 MiB/s, 0:00:06 left");
        assertThat(Progress.line("replay", MIB, 0, 12 << 20, 2))
                .isEqualTo("replay: 0.0 of 12.0 MiB (0 %), 0.0 MiB/s, unknown time left");
        assertThat(Progress.line("replay", MIB, 0, 0, 0)).contains("(100 %)");
    }

    @Test
    void onlyBytesHaveFractions() {
        assertThat(Progress.line("tables", ROUTES, 1_500, 6_000_000, 3))
                .isEqualTo("tables: 1,500 of 6,000,000 routes (0 %), 500 routes/s, 3:19:57 left");
    }
}
