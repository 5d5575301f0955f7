package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Blocks of the slabs. */
class SlabTest {
    private static final long LIMIT = 8L << 20;

    private final Memory memory = new Memory(LIMIT);
    private final IntSlab ints = new IntSlab(memory);

    @Test
    void givenMoreIntsThanTheBoundHasRoomForThenTheyAreThereAllTheSame() {
        int most = (int) (LIMIT / IntSlab.LONGEST / Integer.BYTES) * 3;
        for (int i = 0; i < most; i++) {
            int block = ints.claim(IntSlab.LONGEST);
            assertThat(ints.segment(block).length).isGreaterThanOrEqualTo(IntSlab.offset(block) + IntSlab.LONGEST);
        }
        assertThat(memory.left()).isNegative();
    }
}
