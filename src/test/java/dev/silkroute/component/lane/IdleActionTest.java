package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleActionTest {
    private long nanos = Long.MAX_VALUE - 5;
    private int runs;

    @Test
    void runsOncePerIntervalWithoutRecords() {
        IdleAction idle = new IdleAction(Duration.ofNanos(10), () -> runs++, () -> nanos);
        pollEmpty(idle, 9);
        assertThat(runs).isZero();
        pollEmpty(idle, 1);
        assertThat(runs).isEqualTo(1);
        pollEmpty(idle, 9);
        assertThat(runs).isEqualTo(1);
        pollEmpty(idle, 1);
        assertThat(runs).isEqualTo(2);
    }

    @Test
    void recordsBeginTheIntervalAgain() {
        IdleAction idle = new IdleAction(Duration.ofNanos(10), () -> runs++, () -> nanos);
        pollEmpty(idle, 9);
        nanos++;
        idle.polled(false);
        pollEmpty(idle, 9);
        assertThat(runs).isZero();
        pollEmpty(idle, 1);
        assertThat(runs).isEqualTo(1);
    }

    @Test
    void theTimeThatTheActionTakesDoesNotCount() {
        IdleAction idle = new IdleAction(
                Duration.ofNanos(10),
                () -> {
                    runs++;
                    nanos += 100;
                },
                () -> nanos);
        pollEmpty(idle, 10);
        pollEmpty(idle, 9);
        assertThat(runs).isEqualTo(1);
    }

    @Test
    void reportsTheTimeThatIsLeft() {
        IdleAction idle = new IdleAction(Duration.ofNanos(10), () -> runs++, () -> nanos);
        pollEmpty(idle, 9);
        assertThat(idle.left()).isEqualTo(1);
        pollEmpty(idle, 1);
        assertThat(idle.left()).isEqualTo(10);
    }

    @Test
    void withoutAnIntervalItNeverRuns() {
        IdleAction idle = new IdleAction(null, () -> runs++, () -> nanos);
        assertThat(idle.left()).isEqualTo(Long.MAX_VALUE);
        pollEmpty(idle, 1000);
        assertThat(runs).isZero();
    }

    private void pollEmpty(IdleAction idle, int times) {
        for (int i = 0; i < times; i++) {
            nanos++;
            idle.polled(true);
        }
    }
}
