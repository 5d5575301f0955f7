package dev.silkroute.load;

/**
 * Random numbers that depend on a seed and keys only, so that any part of a load can be recomputed in any order. Not
 * thread-safe.
 *
 * <p>The generator is SplitMix64, written out here rather than taken from the JDK because its numbers must never
 * change: they define which bytes a seed stands for.
 */
final class KeyedRandom {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    /** Positions the generator; the numbers that follow depend on the four arguments only. */
    KeyedRandom seek(long seed, long a, long b, long c) {
        state = mix(mix(mix(mix(seed) + a) + b) + c);
        return this;
    }

    /** Returns a single number for a seed and two keys. */
    static long hash(long seed, long a, long b) {
        return mix(mix(mix(seed) + a) + b);
    }

    private static long mix(long value) {
        long z = value + STEP;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    long next() {
        state += STEP;
        return mix(state);
    }

    /** Returns a number from 0 to {@code bound} − 1. */
    int nextInt(int bound) {
        return (int) ((next() >>> 32) * bound >>> 32);
    }

    /** Returns a number from 0 to {@code bound} − 1. */
    long nextLong(long bound) {
        return Long.remainderUnsigned(next(), bound);
    }

    /** Returns true with a probability of 1 in {@code chances}. */
    boolean oneIn(int chances) {
        return nextInt(chances) == 0;
    }

    /** Returns an index, with probabilities in proportion to the weights given to {@link #cumulative}. */
    int pick(int... cumulativeWeights) {
        int drawn = nextInt(cumulativeWeights[cumulativeWeights.length - 1]);
        int index = 0;
        while (drawn >= cumulativeWeights[index]) {
            index++;
        }
        return index;
    }

    /** Returns the running sums of the weights. */
    static int[] cumulative(int... weights) {
        int[] sums = weights.clone();
        for (int i = 1; i < sums.length; i++) {
            sums[i] += sums[i - 1];
        }
        return sums;
    }
}
