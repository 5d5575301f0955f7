package dev.silkroute.load;

/**
 * Random numbers from a place: the same numbers for the same seed and keys, in any order of asking. SplitMix64, written out because
 * its numbers may never change. Not thread-safe.
 */
final class Dice {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    /** Goes to where these keys lead. */
    Dice at(long seed, long a, long b, long c) {
        state = mix(mix(mix(mix(seed) + a) + b) + c);
        return this;
    }

    /** One number at a place of its own. */
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

    /** From 0 to {@code bound} - 1. */
    int below(int bound) {
        return (int) ((next() >>> 32) * bound >>> 32);
    }

    boolean oneIn(int chances) {
        return below(chances) == 0;
    }

    long below(long bound) {
        return Long.remainderUnsigned(next(), bound);
    }

    /** An index, each as often as its weight says. */
    int pick(int... cumulativeWeights) {
        int drawn = below(cumulativeWeights[cumulativeWeights.length - 1]);
        int index = 0;
        while (drawn >= cumulativeWeights[index]) {
            index++;
        }
        return index;
    }

    static int[] cumulative(int... weights) {
        int[] sums = weights.clone();
        for (int i = 1; i < sums.length; i++) {
            sums[i] += sums[i - 1];
        }
        return sums;
    }
}
