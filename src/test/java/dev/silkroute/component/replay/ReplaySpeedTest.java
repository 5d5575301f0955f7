package dev.silkroute.component.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplaySpeedTest {
    @Test
    void timesAreScaled() {
        assertThat(ReplaySpeed.parse("original").dueNanos(1_000)).isEqualTo(1_000);
        assertThat(ReplaySpeed.parse("10x").dueNanos(1_000)).isEqualTo(100);
        assertThat(ReplaySpeed.parse("0.5x").dueNanos(1_000)).isEqualTo(2_000);
        assertThat(ReplaySpeed.parse("max").timed()).isFalse();
        assertThat(ReplaySpeed.parse("max").dueNanos(1_000)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "x", "0x", "0.0x", "-1x", "1e3x", "10", "10 x", "NaNx", "99999999999x"})
    void anythingElseIsRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplaySpeed.parse(text))
                .withMessageContaining("'" + text + "'");
    }
}
