package dev.silkroute.capture;

import java.nio.file.Path;
import java.util.List;

/** Raw BMP streams: the bytes of a single session, whatever they are, without times. */
public final class RawFormat implements CaptureFormat {
    @Override
    public boolean recognizes(byte[] first) {
        return first.length >= BmpHeader.LENGTH && BmpHeader.isPlausible(first, 0);
    }

    @Override
    public SessionSource open(Path file) {
        return new Source(file);
    }

    private record Source(Path file) implements SessionSource {
        @Override
        public Survey survey() throws CaptureException {
            BmpMessageCounter counter = new BmpMessageCounter();
            long bytes = 0;
            CaptureException failure = null;
            try (Reader reader = new Reader(CaptureInput.open(file))) {
                while (reader.next()) {
                    counter.add(reader.bytes(), reader.from(), reader.to());
                    bytes += reader.to() - reader.from();
                }
                if (!counter.isAtBoundary() && !counter.isOutOfSync()) {
                    failure = new CaptureException(
                            file,
                            bytes,
                            "truncated: the last BMP message lacks " + counter.missing() + " bytes or more");
                }
            } catch (CaptureException e) {
                failure = e;
            }
            if (bytes == 0 && failure != null) {
                throw failure;
            }
            CaptureSession session =
                    new CaptureSession(0, "raw BMP stream", null, 0, 0, bytes, counter.messages(), 0, failure);
            return new Survey(List.of(session), false, List.of(), failure);
        }

        @Override
        public SessionReader read(CaptureSession session) throws CaptureException {
            return new Reader(CaptureInput.open(file));
        }
    }

    /** Reads the stream in blocks. */
    private static final class Reader implements SessionReader {
        private static final int BLOCK = 64 * 1024;

        private final CaptureInput input;
        private final byte[] block = new byte[BLOCK];
        private int length;

        Reader(CaptureInput input) {
            this.input = input;
        }

        @Override
        public boolean next() throws CaptureException {
            length = input.read(block, 0, BLOCK);
            return length > 0;
        }

        @Override
        public byte[] bytes() {
            return block;
        }

        @Override
        public int from() {
            return 0;
        }

        @Override
        public int to() {
            return length;
        }

        @Override
        public long timeNanos() {
            return 0;
        }

        @Override
        public void close() {
            input.close();
        }
    }
}
