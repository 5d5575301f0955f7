package dev.silkroute.net;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable byte string with value equality, which makes it usable as a record component. Thread-safe. */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] bytes;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a copy of {@code source[from..to)}. */
    public static Bytes copyOf(byte[] source, int from, int to) {
        return from == to ? EMPTY : new Bytes(Arrays.copyOfRange(source, from, to));
    }

    public static Bytes of(byte[] source) {
        return copyOf(source, 0, source.length);
    }

    public static Bytes ofHex(String hex) {
        return new Bytes(HexFormat.of().parseHex(hex));
    }

    public int length() {
        return bytes.length;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    public int u8(int at) {
        return bytes[at] & 0xFF;
    }

    public int u16(int at) {
        return BigEndian.u16(bytes, at);
    }

    /** Returns a signed 32-bit number. */
    public int i32(int at) {
        return BigEndian.i32(bytes, at);
    }

    public byte[] toArray() {
        return bytes.clone();
    }

    /** Returns the backing array, which nobody may write to; visible to this package only. */
    byte[] array() {
        return bytes;
    }

    /** Returns the bytes as lower-case hex digits. */
    public String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Decodes the bytes as UTF-8. Invalid sequences become U+FFFD, because the strings of routers can contain any
     * bytes; the result never contains an unpaired surrogate.
     */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    /** Keyed: the bytes mostly come from routers. */
    @Override
    public int hashCode() {
        return KeyedHash.fold(KeyedHash.of(bytes.length, bytes, 0, bytes.length));
    }

    @Override
    public String toString() {
        return hex();
    }
}
