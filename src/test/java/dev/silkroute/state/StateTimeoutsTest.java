package dev.silkroute.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Time that counts, and time that does not. */
class StateTimeoutsTest {
    private static final long MINUTE = 60_000_000;

    @Test
    void givenAnEventThatIsReadLateThenTimeCountsFromTheLastCheck() {
        assertThat(StateTimeouts.countedFrom(100, Long.MIN_VALUE)).isEqualTo(100);
        assertThat(StateTimeouts.countedFrom(100, 50)).isEqualTo(100);
        assertThat(StateTimeouts.countedFrom(100, 150)).isEqualTo(150);
    }

    @Test
    void givenAPauseLongerThanHalfTheShorterTimeoutThenItDoesNotCount() {
        StateTimeouts timeouts = new StateTimeouts(60 * MINUTE, 40 * MINUTE);
        assertThat(timeouts.pause(0, 20 * MINUTE)).isZero();
        assertThat(timeouts.pause(0, 20 * MINUTE + 1)).isEqualTo(20 * MINUTE + 1);
    }

    @Test
    void givenShortTimeoutsThenAPauseOfAMinuteStillCounts() {
        StateTimeouts timeouts = new StateTimeouts(1, 1);
        assertThat(timeouts.pause(0, MINUTE)).isZero();
        assertThat(timeouts.pause(0, MINUTE + 1)).isEqualTo(MINUTE + 1);
    }
}
