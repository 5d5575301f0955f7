package dev.silkroute.net;

import java.util.Arrays;

/** A growable byte array, written in network byte order, that can be reset and reused. Not thread-safe. */
public final class ByteSink {
    private static final int SMALL = 1024;

    private byte[] array;
    private int position;

    public ByteSink() {
        this(SMALL);
    }

    public ByteSink(int capacity) {
        array = new byte[Math.max(capacity, 16)];
    }

    /** Returns the backing array, not a copy. It is valid up to {@link #position()} and until the next write. */
    public byte[] array() {
        return array;
    }

    /** Returns the number of bytes written. */
    public int position() {
        return position;
    }

    /** Discards everything that was written and keeps the array. */
    public void reset() {
        position = 0;
    }

    /** Discards everything that was written, and the array if it is larger than {@code kept} bytes. */
    public void release(int kept) {
        position = 0;
        if (array.length > kept) {
            array = new byte[SMALL];
        }
    }

    /** Discards everything that was written at or after {@code to}. */
    public void truncate(int to) {
        if (to < 0 || to > position) {
            throw new IndexOutOfBoundsException(to + " of " + position);
        }
        position = to;
    }

    public ByteSink u8(int value) {
        int at = claim(1);
        array[at] = (byte) value;
        return this;
    }

    public ByteSink u16(int value) {
        int at = claim(2);
        BigEndian.putU16(array, at, value);
        return this;
    }

    public ByteSink u32(int value) {
        int at = claim(4);
        BigEndian.putU32(array, at, value);
        return this;
    }

    public ByteSink i64(long value) {
        int at = claim(8);
        BigEndian.putI64(array, at, value);
        return this;
    }

    public ByteSink bytes(byte[] source, int from, int to) {
        int at = claim(to - from);
        System.arraycopy(source, from, array, at, to - from);
        return this;
    }

    public ByteSink bytes(Bytes source) {
        return bytes(source.array(), 0, source.length());
    }

    public ByteSink patchU8(int at, int value) {
        check(at, 1);
        array[at] = (byte) value;
        return this;
    }

    public ByteSink patchU16(int at, int value) {
        check(at, 2);
        BigEndian.putU16(array, at, value);
        return this;
    }

    public ByteSink patchU32(int at, int value) {
        check(at, 4);
        BigEndian.putU32(array, at, value);
        return this;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(array, position);
    }

    private void check(int at, int length) {
        if (at < 0 || at > position - length) {
            throw new IndexOutOfBoundsException(at + " of " + position);
        }
    }

    /** Reserves bytes, which the caller writes into {@link #array()}, and returns the offset of the first of them. */
    public int claim(int length) {
        int at = position;
        if (length > array.length - at) {
            grow(Math.addExact(at, length));
        }
        position = at + length;
        return at;
    }

    /** A method of its own, so that {@link #claim} is small enough for the JIT to inline it. */
    private void grow(int end) {
        // Doubling can overflow where the required size does not.
        array = Arrays.copyOf(array, (int) Math.max(end, Math.min(2L * array.length, Integer.MAX_VALUE - 8)));
    }
}
