package dev.silkroute.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BatchBuffersTest {
    private static List<BatchBuffers> take(int count) {
        return Stream.generate(BatchBuffers::take).limit(count).toList();
    }

    @Test
    void noMoreAreKeptThanTheMaximum() {
        // Given more builders at work than buffers are kept for
        List<BatchBuffers> used = take(BatchBuffers.MAX_FREE + 3);
        // When all of them have finished, and as many begin again
        used.forEach(BatchBuffers::giveBack);
        List<BatchBuffers> usedNext = take(used.size());
        // Then those kept are used again, each by one builder, and the others are new
        Set<BatchBuffers> before = Collections.newSetFromMap(new IdentityHashMap<>());
        before.addAll(used);
        assertThat(usedNext).doesNotHaveDuplicates();
        assertThat(usedNext.stream().filter(before::contains))
                .hasSize(Math.min(BatchBuffers.MAX_FREE, Runtime.getRuntime().availableProcessors()));
        usedNext.forEach(BatchBuffers::giveBack);
    }

    @Test
    void aBufferIsKeptUpToItsMaximumSize() {
        BatchBuffers buffers = take(BatchBuffers.MAX_FREE + 1).getLast(); // new, so it has not grown yet
        byte[] content = new byte[BatchBuffers.KEPT_BYTES];

        buffers.peers.bytes(content, 0, content.length);
        byte[] atMaximum = buffers.peers.array();
        buffers.groups.bytes(content, 0, content.length).u8(1);
        byte[] tooLarge = buffers.groups.array();
        assertThat(atMaximum).hasSize(BatchBuffers.KEPT_BYTES);
        assertThat(tooLarge).hasSizeGreaterThan(BatchBuffers.KEPT_BYTES);
        buffers.giveBack();

        assertThat(buffers.peers.array()).isSameAs(atMaximum);
        assertThat(buffers.groups.array()).hasSizeLessThan(BatchBuffers.KEPT_BYTES);
        assertThat(List.of(buffers.peers.position(), buffers.groups.position())).containsOnly(0);
    }
}
