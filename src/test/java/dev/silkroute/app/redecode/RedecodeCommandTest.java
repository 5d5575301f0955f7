package dev.silkroute.app.redecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RedecodeCommandTest {
    @Test
    void parsesDatesAndTimes() {
        assertThat(RedecodeCommand.time("--from", "2026-11-21")).isEqualTo(Instant.parse("2026-11-21T00:00:00Z"));
        assertThat(RedecodeCommand.time("--from", "2026-11-21T09:30:00Z"))
                .isEqualTo(Instant.parse("2026-11-21T09:30:00Z"));
        assertThat(RedecodeCommand.time("--from", "2026-11-21T10:30+01:00"))
                .isEqualTo(Instant.parse("2026-11-21T09:30:00Z"));
        assertThat(RedecodeCommand.time("--from", null)).isNull();
    }

    @Test
    void anInvalidTimeIsReportedWithItsOption() {
        assertThatThrownBy(() -> RedecodeCommand.time("--to", "noon"))
                .isInstanceOf(OperatorError.class)
                .hasMessageStartingWith("--to noon is not a time");
    }
}
