package dev.silkroute.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes numbers in network byte order. The caller has checked that the offset is inside the array; otherwise
 * the JDK throws an {@link IndexOutOfBoundsException}.
 */
public final class BigEndian {
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private BigEndian() {}

    public static int u8(byte[] b, int at) {
        return b[at] & 0xFF;
    }

    public static int u16(byte[] b, int at) {
        return (short) SHORTS.get(b, at) & 0xFFFF;
    }

    public static int u24(byte[] b, int at) {
        return (b[at] & 0xFF) << 16 | (b[at + 1] & 0xFF) << 8 | b[at + 2] & 0xFF;
    }

    /** Returns a signed 32-bit number; {@link #u32} returns the unsigned one. */
    public static int i32(byte[] b, int at) {
        return (int) INTS.get(b, at);
    }

    public static long u32(byte[] b, int at) {
        return Integer.toUnsignedLong(i32(b, at));
    }

    public static long i64(byte[] b, int at) {
        return (long) LONGS.get(b, at);
    }

    public static void putU16(byte[] b, int at, int value) {
        SHORTS.set(b, at, (short) value);
    }

    public static void putU32(byte[] b, int at, int value) {
        INTS.set(b, at, value);
    }

    public static void putI64(byte[] b, int at, long value) {
        LONGS.set(b, at, value);
    }
}
