package dev.silkroute.rib.memory;

/**
 * Arrays for numbers that one thread changes all the time, padded on both sides so that they share no cache line with
 * other objects. Without the padding every change would invalidate the line in the caches of the threads that read its
 * neighbours, and every read would slow down the writer (false sharing). The padding is two lines of 64 bytes, because
 * processors prefetch lines in pairs.
 */
public final class PaddedArrays {
    /** Index of the first usable element in an array of longs. */
    public static final int FIRST_LONG = 16;

    /** Index of the first usable element in an array of ints. */
    public static final int FIRST_INT = 32;

    private PaddedArrays() {}

    public static long[] longs(int count) {
        return new long[FIRST_LONG + count + FIRST_LONG];
    }

    public static int[] ints(int count) {
        return new int[FIRST_INT + count + FIRST_INT];
    }
}
