package dev.silkroute.component.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.SessionReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests how a session is divided into chunks. */
class ChunkReaderTest {
    private static final long ALL = Long.MAX_VALUE;

    private static List<String> chunks(ChunkReader reader) {
        List<String> chunks = new ArrayList<>();
        while (reader.hasNext()) {
            chunks.add(text(reader.next()));
        }
        return chunks;
    }

    private static String text(ReplayChunk chunk) {
        return chunk.offset + ":" + new String(chunk.bytes) + "@" + chunk.timeNanos;
    }

    @Test
    void withoutTimesChunksAreFull() {
        assertThat(chunks(new ChunkReader(new Pieces("abcde", "fg", "hi"), 4, ALL, false)))
                .containsExactly("0:abcd@1", "4:efgh@3", "8:i@3");
    }

    @Test
    void withTimesEachPacketIsOneOrMoreChunks() {
        assertThat(chunks(new ChunkReader(new Pieces("abcde", "fg", "hi"), 4, ALL, true)))
                .containsExactly("0:abcd@1", "4:e@1", "5:fg@2", "7:hi@3");
    }

    @Test
    void packetsAreAppendedWhileTheyFit() {
        ChunkReader reader = new ChunkReader(new Pieces("ab", "cd", "ef", "gh"), 6, ALL, true);

        ReplayChunk first = reader.next();
        assertThat(reader.nextTimeNanos()).isEqualTo(2);
        ReplayChunk second = reader.append(first);
        assertThat(reader.nextTimeNanos()).isEqualTo(3);
        ReplayChunk third = reader.append(second);

        assertThat(text(third)).isEqualTo("0:abcdef@3");
        assertThat(reader.append(third)).isSameAs(third);
        assertThat(chunks(reader)).containsExactly("6:gh@4");
    }

    @Test
    void theLimitMayBeWithinAMessage() {
        assertThat(chunks(new ChunkReader(new Pieces("abcde", "fg"), 4, 6, false)))
                .containsExactly("0:abcd@1", "4:ef@2");
        assertThat(chunks(new ChunkReader(new Pieces("abcde", "fg"), 4, 6, true)))
                .containsExactly("0:abcd@1", "4:e@1", "5:f@2");
        ChunkReader reader = new ChunkReader(new Pieces("ab", "cd"), 9, 3, true);
        assertThat(text(reader.append(reader.next()))).isEqualTo("0:abc@2");
        assertThat(reader.hasNext()).isFalse();
    }

    @Test
    void aFailureFollowsTheChunksBeforeIt() {
        CaptureException failure = new CaptureException(Path.of("a"), 7, "truncated");
        Pieces pieces = new Pieces("ab", "cd");
        pieces.failure = failure;
        ChunkReader reader = new ChunkReader(pieces, 4, ALL, false);

        assertThat(chunks(reader)).containsExactly("0:abcd@2");
        assertThat(reader.failure()).isSameAs(failure);

        ChunkReader within = new ChunkReader(pieces.again(), 4, 4, false);
        chunks(within);
        assertThat(within.failure()).as("beyond the limit nobody looks").isNull();
    }

    /** Returns pieces captured at 1, 2, 3 …; the array is reused, as by real readers. */
    private static final class Pieces implements SessionReader {
        private final String[] pieces;
        private byte[] bytes = new byte[0];
        private int at;
        private @Nullable CaptureException failure;

        Pieces(String... pieces) {
            this.pieces = pieces;
        }

        Pieces again() {
            Pieces again = new Pieces(pieces);
            again.failure = failure;
            return again;
        }

        @Override
        public boolean next() throws CaptureException {
            java.util.Arrays.fill(bytes, (byte) '?');
            if (at < pieces.length) {
                bytes = ("-" + pieces[at++]).getBytes();
                return true;
            }
            if (failure != null) {
                throw failure;
            }
            return false;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public int from() {
            return 1;
        }

        @Override
        public int to() {
            return bytes.length;
        }

        @Override
        public long timeNanos() {
            return at;
        }

        @Override
        public void close() {}
    }
}
