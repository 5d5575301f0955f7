package dev.silkroute.postgres.copy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows in PostgreSQL's binary COPY format (PostgreSQL documentation, COPY, "Binary Format") into one growable
 * buffer: {@link #header()}, per row {@link #row} and its fields, {@link #trailer()}. A field is four bytes of length,
 * -1 for null, and the value as the type's receive function expects it. All numbers are big-endian.
 *
 * <p>The caller hands over and {@linkplain #clear() clears} the buffer when it likes, also in the middle of a row. Not
 * thread-safe.
 */
public final class CopyBinary {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private static final byte[] SIGNATURE = "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    /** PostgreSQL counts time from 2000-01-01. */
    private static final long EPOCH_MICROS = 946_684_800_000_000L;

    private static final int INT4_OID = 23;
    private static final int INT8_OID = 20;
    private static final int TEXT_OID = 25;
    /** PostgreSQL's own numbers for the address families, the same on every platform. */
    private static final int PGSQL_AF_INET = 2;

    private static final int PGSQL_AF_INET6 = 3;

    private byte[] buffer;
    private int length;

    public CopyBinary(int initialCapacity) {
        buffer = new byte[Math.max(64, initialCapacity)];
    }

    /** The bytes so far, from 0 to {@link #length()}; replaced when the buffer grows. */
    public byte[] array() {
        return buffer;
    }

    public int length() {
        return length;
    }

    /** Forgets the bytes, keeps the buffer. */
    public void clear() {
        length = 0;
    }

    /** Signature, no flags, no extension. */
    public void header() {
        reserve(SIGNATURE.length + 8);
        append(SIGNATURE, 0, SIGNATURE.length);
        length = put(length, 0L);
    }

    public void trailer() {
        row(-1);
    }

    /** Begins a row with this number of fields. */
    public void row(int fields) {
        reserve(2);
        SHORT.set(buffer, length, (short) fields);
        length += 2;
    }

    public void nullField() {
        reserve(4);
        length = put(length, -1);
    }

    public void int2(int value) {
        reserve(6);
        length = put(length, 2);
        SHORT.set(buffer, length, (short) value);
        length += 2;
    }

    public void int4(int value) {
        reserve(8);
        length = put(put(length, 4), value);
    }

    public void int8(long value) {
        reserve(12);
        length = put(put(length, 8), value);
    }

    /** An unsigned 32-bit value, as the bigint that holds it. */
    public void unsigned(int value) {
        int8(value & 0xFFFFFFFFL);
    }

    public void bool(boolean value) {
        reserve(5);
        length = put(length, 1);
        buffer[length++] = (byte) (value ? 1 : 0);
    }

    public void uuid(long high, long low) {
        reserve(20);
        length = put(put(put(length, 16), high), low);
    }

    /** A timestamptz from microseconds since 1970. */
    public void timestamp(long micros) {
        int8(micros - EPOCH_MICROS);
    }

    /** Text without the NUL characters that PostgreSQL has no room for; null is null. */
    public void text(@Nullable String value) {
        if (value == null) {
            nullField();
            return;
        }
        byte[] utf8 = Text.clean(value).getBytes(StandardCharsets.UTF_8);
        bytea(utf8, 0, utf8.length);
    }

    public void jsonb(@Nullable String json) {
        if (json == null) {
            nullField();
            return;
        }
        byte[] utf8 = Text.clean(json).getBytes(StandardCharsets.UTF_8);
        reserve(5 + utf8.length);
        length = put(length, 1 + utf8.length);
        buffer[length++] = 1; // version of the representation
        append(utf8, 0, utf8.length);
    }

    public void bytea(byte[] bytes, int from, int to) {
        reserve(4 + to - from);
        length = put(length, to - from);
        append(bytes, from, to);
    }

    /**
     * A prefix. Its host bits must be zero: PostgreSQL rejects a cidr with others.
     *
     * @param high upper half of an IPv6 address, unused for IPv4
     * @param low lower half of an IPv6 address, or an IPv4 address in the lower 32 bits
     */
    public void cidr(boolean ipv6, long high, long low, int prefixLength) {
        address(ipv6, high, low, prefixLength, true);
    }

    /** A host address, see {@link #cidr}. */
    public void inet(boolean ipv6, long high, long low) {
        address(ipv6, high, low, ipv6 ? 128 : 32, false);
    }

    /** Writes an inet or a cidr with this number of bits. */
    public void address(boolean ipv6, long high, long low, int bits, boolean cidr) {
        reserve(24);
        length = put(length, ipv6 ? 20 : 8);
        buffer[length++] = (byte) (ipv6 ? PGSQL_AF_INET6 : PGSQL_AF_INET);
        buffer[length++] = (byte) bits;
        buffer[length++] = (byte) (cidr ? 1 : 0);
        buffer[length++] = (byte) (ipv6 ? 16 : 4);
        length = ipv6 ? put(put(length, high), low) : put(length, (int) low);
    }

    public void int4Array(int[] values) {
        arrayHeader(values.length, INT4_OID, 4 + values.length * 8);
        for (int value : values) {
            length = put(put(length, 4), value);
        }
    }

    public void int8Array(List<Long> values) {
        arrayHeader(values.size(), INT8_OID, values.size() * 12);
        for (long value : values) {
            length = put(put(length, 8), value);
        }
    }

    public void textArray(List<String> values) {
        int start = length;
        arrayHeader(values.size(), TEXT_OID, 0);
        values.forEach(this::text);
        put(start, length - start - 4); // only now known
    }

    /** An array of any type, its elements written as fields of their own. */
    public <E extends @Nullable Object> void array(
            int elementOid, Collection<E> values, BiConsumer<CopyBinary, Object> element) {
        int start = length;
        arrayHeader(values.size(), elementOid, 0);
        boolean nulls = false;
        for (E value : values) {
            if (value == null) {
                nulls = true;
                nullField();
            } else {
                element.accept(this, value);
            }
        }
        put(start, length - start - 4); // only now known
        put(start + 8, nulls ? 1 : 0);
    }

    /** Field length and array header: dimensions, no nulls, element type and, unless empty, size and lower bound. */
    private void arrayHeader(int size, int elementOid, int elementBytes) {
        reserve(24 + elementBytes);
        int dimensions = size == 0 ? 0 : 1;
        length = put(length, size == 0 ? 12 : 20 + size * elementSize(elementOid));
        length = put(put(put(length, dimensions), 0), elementOid);
        if (size > 0) {
            length = put(put(length, size), 1);
        }
    }

    private static int elementSize(int elementOid) {
        return switch (elementOid) {
            case INT4_OID -> 8;
            case INT8_OID -> 12;
            default -> 0; // patched by the caller
        };
    }

    private void append(byte[] bytes, int from, int to) {
        System.arraycopy(bytes, from, buffer, length, to - from);
        length += to - from;
    }

    private int put(int at, int value) {
        INT.set(buffer, at, value);
        return at + 4;
    }

    private int put(int at, long value) {
        LONG.set(buffer, at, value);
        return at + 8;
    }

    private void reserve(int bytes) {
        if (buffer.length - length < bytes) {
            buffer = Arrays.copyOf(buffer, Math.max(length + bytes, Math.multiplyExact(buffer.length, 2)));
        }
    }
}
