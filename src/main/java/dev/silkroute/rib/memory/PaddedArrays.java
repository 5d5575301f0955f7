package dev.silkroute.rib.memory;

/**
 * Arrays for numbers that one thread changes all the time, with room on both sides, so that they share no line of the caches with anything else: whoever reads what
 * lies beside them would wait for each change, and the one that changes them for each reader. Two lines of 64 bytes, for processors load them in pairs.
 */
public final class PaddedArrays {
    /** Index of the first number in an array of longs. */
    public static final int FIRST_LONG = 16;

    /** Index of the first number in an array of ints. */
    public static final int FIRST_INT = 32;

    private PaddedArrays() {}

    public static long[] longs(int count) {
        return new long[FIRST_LONG + count + FIRST_LONG];
    }

    public static int[] ints(int count) {
        return new int[FIRST_INT + count + FIRST_INT];
    }
}
