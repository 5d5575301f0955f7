package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.fixture.TestConfig;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** When reading stops for lack of free space, and when it continues. */
class FreeSpaceWatchTest {
    private static final long MIB = 1 << 20;

    private final MemoryBudget reading = new MemoryBudget(1000, 100);

    private FreeSpaceWatch watch(String pauseBelow, String resumeAbove) {
        return new FreeSpaceWatch(
                reading,
                TestConfig.of(
                        "silkroute.free-space.pause-below",
                        pauseBelow,
                        "silkroute.free-space.resume-above",
                        resumeAbove));
    }

    private boolean pausesAt(FreeSpaceWatch watch, long mebibytes) throws IOException {
        watch.check(Path.of("data"), () -> mebibytes * MIB);
        return reading.isPaused();
    }

    @Test
    void givenLittleFreeSpaceThenReadingPausesUntilThereIsMoreThanTheHigherMark() throws IOException {
        FreeSpaceWatch watch = watch("256M", "512M");
        assertThat(pausesAt(watch, 300)).isFalse();
        assertThat(pausesAt(watch, 255)).isTrue();
        assertThat(pausesAt(watch, 400)).as("between the marks").isTrue();
        assertThat(pausesAt(watch, 513)).isFalse();
        assertThat(pausesAt(watch, 400)).as("between the marks").isFalse();
    }

    @Test
    void givenMarksInTheWrongOrderThenTheStartFails() {
        assertThatThrownBy(() -> watch("1G", "512M")).isInstanceOf(OperatorError.class);
        assertThatThrownBy(() -> watch("much", "512M"))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("silkroute.free-space.pause-below");
    }
}
