package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The difference between the clocks, from the times of a router's messages. */
class ClockSkewTest {
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long MINUTE = 60_000_000;

    private final ClockSkew skew = new ClockSkew();

    @Test
    void aRouterThatSendsNoTimeHasNoSkew() {
        skew.observe(0, NOW);
        assertThat(skew.micros()).isEmpty();
    }

    @Test
    void oldRoutesOfATableDumpDoNotCountBesideANewOne() {
        skew.observe(NOW - 3600 * MINUTE, NOW);
        assertThat(skew.micros()).hasValue(3600 * MINUTE);
        skew.observe(NOW + MINUTE - 2_000_000, NOW + MINUTE);
        skew.observe(NOW - 60 * MINUTE, NOW + MINUTE);
        assertThat(skew.micros()).hasValue(2_000_000);
    }

    @Test
    void aClockThatIsAheadIsNegative() {
        skew.observe(NOW + 90 * MINUTE, NOW);
        assertThat(skew.micros()).hasValue(-90 * MINUTE);
    }

    @Test
    void earlierSkewIsForgottenAfterTwoWindows() {
        skew.observe(NOW, NOW);
        long later = NOW + ClockSkew.WINDOW_MICROS;
        skew.observe(later - MINUTE, later);
        assertThat(skew.micros()).as("the window before counts").hasValue(0);
        later += ClockSkew.WINDOW_MICROS;
        skew.observe(later - MINUTE, later);
        assertThat(skew.micros()).as("the other one").hasValue(MINUTE);
    }

    @Test
    void afterALongSilenceOnlyNewTimesCount() {
        skew.observe(NOW, NOW);
        long later = NOW + 5 * ClockSkew.WINDOW_MICROS;
        skew.observe(later - MINUTE, later);
        assertThat(skew.micros()).hasValue(MINUTE);
    }
}
