package dev.silkroute.rib.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Released blocks can be reused for blocks of any length. */
class SlabTest {
    private static final long LIMIT = 8L << 20;
    private static final int SHORT = 20;

    private final MemoryBudget memory = new MemoryBudget(LIMIT);
    private final IntSlab ints = new IntSlab(memory);
    private final ByteSlab bytes = new ByteSlab(memory);

    private List<Integer> shortInts() {
        List<Integer> blocks = new ArrayList<>();
        while (ints.hasRoom(SHORT)) {
            int block = ints.claim(SHORT);
            ints.segment(block)[IntSlab.offset(block)] = blocks.size();
            blocks.add(block);
        }
        return blocks;
    }

    private List<Integer> shortBytes() {
        List<Integer> blocks = new ArrayList<>();
        while (bytes.hasRoom(SHORT)) {
            int block = bytes.claim(SHORT);
            bytes.bytes(block)[ByteSlab.offset(block)] = (byte) blocks.size();
            blocks.add(block);
        }
        return blocks;
    }

    @Test
    void segmentsWithoutBlocksOfIntsAreGivenBack() {
        List<Integer> blocks = shortInts();
        long reserved = memory.reserved();
        assertThat(ints.hasRoom(IntSlab.MAX_INTS)).isFalse();
        blocks.forEach(block -> ints.release(block, SHORT));

        assertThat(ints.coalesce()).isPositive();

        assertThat(memory.reserved()).isZero();
        assertThat(ints.segments()).isZero();
        assertThat(shortInts()).hasSize(blocks.size()).doesNotHaveDuplicates();
        assertThat(memory.reserved()).isEqualTo(reserved);
    }

    @Test
    void neighbouringFreeBlocksOfIntsAreJoined() {
        List<Integer> blocks = shortInts();
        long reserved = memory.reserved();
        // Every 300th block stays: 299 * 5 units are free between two of them.
        for (int i = 0; i < blocks.size(); i++) {
            if (i % 300 != 0) {
                ints.release(blocks.get(i), SHORT);
            }
        }
        assertThat(ints.hasRoom(4 * IntSlab.MAX_INTS)).isFalse();

        ints.coalesce();

        assertThat(ints.hasRoom(4 * IntSlab.MAX_INTS)).isTrue();
        int had = 0;
        while (ints.hasRoom(IntSlab.MAX_INTS)) {
            int block = ints.claim(IntSlab.MAX_INTS);
            java.util.Arrays.fill(
                    ints.segment(block), IntSlab.offset(block), IntSlab.offset(block) + IntSlab.MAX_INTS, -1);
            had++;
        }
        assertThat(had).isGreaterThan(blocks.size() / 300 * 5 * 9 / 10);
        assertThat(memory.reserved()).isEqualTo(reserved);
        for (int i = 0; i < blocks.size(); i += 300) {
            int block = blocks.get(i);
            assertThat(ints.segment(block)[IntSlab.offset(block)]).isEqualTo(i);
        }
    }

    @Test
    void intsBeyondTheBoundAreStillAllocated() {
        int most = (int) (LIMIT / IntSlab.MAX_INTS / Integer.BYTES) * 3;
        for (int i = 0; i < most; i++) {
            int block = ints.claim(IntSlab.MAX_INTS);
            assertThat(ints.segment(block).length).isGreaterThanOrEqualTo(IntSlab.offset(block) + IntSlab.MAX_INTS);
        }
        assertThat(memory.available()).isNegative();
    }

    @Test
    void releasedShortStringsMakeRoomForLongOnes() {
        List<Integer> blocks = shortBytes();
        long reserved = memory.reserved();
        assertThat(bytes.hasRoom(4 * SHORT)).isFalse();
        blocks.forEach(block -> bytes.release(block, SHORT));
        assertThat(bytes.hasRoom(4 * SHORT)).isFalse();

        bytes.coalesce();

        assertThat(memory.reserved()).isZero();
        int had = 0;
        for (; bytes.hasRoom(4 * SHORT); had++) {
            bytes.claim(4 * SHORT);
        }
        // A string lies within one segment.
        assertThat(had).isBetween(blocks.size() / 4 - bytes.segments(), blocks.size() / 4);
        assertThat(memory.reserved()).isEqualTo(reserved);
    }

    @Test
    void neighbouringFreeStringsAreJoined() {
        List<Integer> blocks = shortBytes();
        long reserved = memory.reserved();
        for (int i = 0; i < blocks.size(); i++) {
            if (i % 300 != 0) {
                bytes.release(blocks.get(i), SHORT);
            }
        }
        assertThat(bytes.hasRoom(40 * SHORT)).isFalse();

        bytes.coalesce();

        for (int had = 0; had < blocks.size() / 300; had++) {
            assertThat(bytes.hasRoom(40 * SHORT)).isTrue();
            int block = bytes.claim(40 * SHORT);
            java.util.Arrays.fill(
                    bytes.bytes(block), ByteSlab.offset(block), ByteSlab.offset(block) + 40 * SHORT, (byte) -1);
        }
        assertThat(memory.reserved()).isLessThanOrEqualTo(LIMIT);
        assertThat(memory.reserved() - reserved).isLessThanOrEqualTo(2 * ByteSlab.segmentBytes());
        for (int i = 0; i < blocks.size(); i += 300) {
            int block = blocks.get(i);
            assertThat(bytes.bytes(block)[ByteSlab.offset(block)]).isEqualTo((byte) i);
        }
    }

    @Test
    void aPairIsReadAsItWasWritten() {
        PairSlab pairs = new PairSlab(memory);
        int last = 3 << 16;
        assertThat(pairs.covers(1)).isFalse();

        pairs.ensure(last);

        assertThat(pairs.covers(last)).isTrue();
        assertThat(pairs.covers(last + (1 << 16))).isFalse();
        assertThat(memory.reserved()).isEqualTo(4 * PairSlab.SEGMENT_BYTES);
        assertThat(pairs.read(last)).isZero();
        for (int first : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            for (int second : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                pairs.publish(last, PairSlab.pair(first, second));
                assertThat(PairSlab.first(pairs.read(last))).isEqualTo(first);
                assertThat(PairSlab.second(pairs.get(last))).isEqualTo(second);
            }
        }
        assertThat(pairs.read(last - 1)).isZero();
    }
}
