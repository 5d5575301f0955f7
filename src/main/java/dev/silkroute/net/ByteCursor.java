package dev.silkroute.net;

/**
 * A reader in network order over a region of an array. It never reads past the region: what does not fit is a {@link DecodeException}
 * with the absolute offset and the section the cursor was made for. Not thread-safe.
 */
public final class ByteCursor {
    private final byte[] bytes;
    private final int to;
    private final String section;
    private int position;

    public ByteCursor(byte[] bytes, int from, int to, String section) {
        if (from < 0 || from > to || to > bytes.length) {
            throw new IndexOutOfBoundsException("region " + from + ".." + to + " of " + bytes.length + " bytes");
        }
        this.bytes = bytes;
        this.position = from;
        this.to = to;
        this.section = section;
    }

    public byte[] array() {
        return bytes;
    }

    /** Absolute offset of the next byte. */
    public int position() {
        return position;
    }

    /** Absolute offset after the last byte of the region. */
    public int limit() {
        return to;
    }

    public int remaining() {
        return to - position;
    }

    public boolean hasRemaining() {
        return position < to;
    }

    public int u8() {
        return BigEndian.u8(bytes, advance(1));
    }

    public int u16() {
        return BigEndian.u16(bytes, advance(2));
    }

    /** 32 bits, to be read unsigned. */
    public int i32() {
        return BigEndian.i32(bytes, advance(4));
    }

    public long u32() {
        return BigEndian.u32(bytes, advance(4));
    }

    public long i64() {
        return BigEndian.i64(bytes, advance(8));
    }

    /** An immutable copy of the next bytes. */
    public Bytes bytes(int length) {
        int at = advance(length);
        return Bytes.copyOf(bytes, at, at + length);
    }

    /** Skips and returns the absolute offset of the first skipped byte. */
    public int skip(int length) {
        return advance(length);
    }

    /** A cursor over the next bytes, which this one skips. */
    public ByteCursor slice(int length, String sliceSection) {
        int at = advance(length);
        return new ByteCursor(bytes, at, at + length, sliceSection);
    }

    public DecodeException fault(String reason) {
        return new DecodeException(reason, position, section);
    }

    private int advance(int length) {
        int at = position;
        if (length < 0 || length > to - at) {
            throw new DecodeException(length + " bytes wanted, " + (to - at) + " left", at, section);
        }
        position = at + length;
        return at;
    }
}
