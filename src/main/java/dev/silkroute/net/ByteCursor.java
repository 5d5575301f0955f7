package dev.silkroute.net;

/**
 * Reads a region of an array in network byte order, from its beginning to its end.
 *
 * <p>A read past the end of the region throws a {@link DecodeException} with the absolute offset and the section of the
 * specification that the cursor was created for. Not thread-safe.
 */
public final class ByteCursor {
    /** The reason of the exception. */
    public static final String SHORT = "%s bytes expected, %s left";

    private final byte[] bytes;
    private final int to;
    private final String section;
    private int position;

    /**
     * Creates a cursor at {@code from}.
     *
     * @param to offset after the last byte of the region
     * @param section the rule that a short region breaks, such as {@code RFC 4271, Section 4.2}
     */
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

    /** Returns the absolute offset of the next byte. */
    public int position() {
        return position;
    }

    /** Returns the absolute offset after the last byte of the region. */
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

    /** Reads a signed 32-bit number. */
    public int i32() {
        return BigEndian.i32(bytes, advance(4));
    }

    public long u32() {
        return BigEndian.u32(bytes, advance(4));
    }

    public long i64() {
        return BigEndian.i64(bytes, advance(8));
    }

    /** Reads the next bytes into an immutable copy. */
    public Bytes bytes(int length) {
        int at = advance(length);
        return Bytes.copyOf(bytes, at, at + length);
    }

    /** Skips bytes and returns the absolute offset of the first of them. */
    public int skip(int length) {
        return advance(length);
    }

    /** Skips bytes and returns a cursor over them. */
    public ByteCursor slice(int length, String innerSection) {
        int at = advance(length);
        return new ByteCursor(bytes, at, at + length, innerSection);
    }

    /** Returns an exception for the current position, for files; what routers send has {@link Fault}s. */
    public DecodeException fault(String reason) {
        return new DecodeException(reason, position, section);
    }

    private int advance(int length) {
        int at = position;
        if (length < 0 || length > to - at) {
            throw new DecodeException(SHORT.formatted(length, to - at), at, section);
        }
        position = at + length;
        return at;
    }
}
