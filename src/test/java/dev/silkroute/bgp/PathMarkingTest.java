package dev.silkroute.bgp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathMarkingTest {
    @Test
    void bitsHaveNames() {
        assertThat(PathMarking.statusTexts(0x8A)).containsExactly("best", "primary", "add-path");
        assertThat(PathMarking.statusTexts(0x0000_0C15))
                .containsExactly("invalid", "non-selected", "backup", "stale", "suppressed");
        assertThat(PathMarking.statusTexts(0x8000_1000)).containsExactly("status-12", "status-31");
        assertThat(PathMarking.statusTexts(0)).isEmpty();
    }

    @Test
    void reasonsHaveNames() {
        assertThat(PathMarking.reasonText(1)).isEqualTo("invalid-as-loop");
        assertThat(PathMarking.reasonText(11)).isEqualTo("not-preferred-aigp");
        assertThat(PathMarking.reasonText(12)).isEqualTo("reason-12");
    }

    @Test
    void noStatusIsAMarkingToo() {
        assertThat(PathMarking.isMarked(PathMarking.of(0))).isTrue();
        assertThat(PathMarking.isMarked(PathMarking.NONE)).isFalse();
        assertThat(PathMarking.hasReason(PathMarking.NONE)).isFalse();
        assertThat(PathMarking.hasReason(PathMarking.of(-1))).isFalse();
        assertThat(PathMarking.reason(PathMarking.of(-1, 0xFFFF))).isEqualTo(0xFFFF);
        assertThat(PathMarking.status(PathMarking.of(-1, 0xFFFF))).isEqualTo(-1);
    }

    @Test
    void severalMarkingsAllApplyAndTheFirstReasonIsKept() {
        assertThat(PathMarking.merge(PathMarking.of(2), PathMarking.NONE)).isEqualTo(PathMarking.of(2));
        assertThat(PathMarking.merge(PathMarking.NONE, PathMarking.of(2, 3))).isEqualTo(PathMarking.of(2, 3));
        assertThat(PathMarking.merge(PathMarking.of(2), PathMarking.of(8, 3))).isEqualTo(PathMarking.of(10, 3));
        assertThat(PathMarking.merge(PathMarking.of(2, 5), PathMarking.of(8, 3)))
                .isEqualTo(PathMarking.of(10, 5));
        assertThat(PathMarking.merge(PathMarking.of(2), PathMarking.of(8))).isEqualTo(PathMarking.of(10));
    }
}
