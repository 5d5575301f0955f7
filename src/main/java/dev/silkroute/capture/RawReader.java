package dev.silkroute.capture;

/** Reads a raw stream block by block. */
final class RawReader implements SessionReader {
    private static final int BLOCK = 64 * 1024;

    private final CaptureInput input;
    private final byte[] block = new byte[BLOCK];
    private int length;

    RawReader(CaptureInput input) {
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
