package dev.silkroute.perf.rib;

/**
 * The numbers that Go's {@code rand.New(rand.NewPCG(a, b)).IntN} gives: PCG with 128 bits of state and the DXSM output
 * (<a href="https://www.pcg-random.org">pcg-random.org</a>), and Lemire's reduction. So a workload that others have
 * published as seeds of Go's generator is the same here, route by route.
 */
final class GoRandom {
    private static final long MULTIPLIER_HIGH = 2549297995355413924L;
    private static final long MULTIPLIER_LOW = 4865540595714422341L;
    private static final long INCREMENT_HIGH = 6364136223846793005L;
    private static final long INCREMENT_LOW = 1442695040888963407L;
    private static final long CHEAP_MULTIPLIER = 0xda942042e4dd58b5L;

    private long high;
    private long low;

    GoRandom(long seed1, long seed2) {
        high = seed1;
        low = seed2;
    }

    GoRandom(long seed) {
        this(seed, seed);
    }

    long next() {
        long product = low * MULTIPLIER_LOW;
        long carried = Math.unsignedMultiplyHigh(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH;
        low = product + INCREMENT_LOW;
        high = carried + INCREMENT_HIGH + (Long.compareUnsigned(low, product) < 0 ? 1 : 0);
        long out = high;
        out ^= out >>> 32;
        out *= CHEAP_MULTIPLIER;
        out ^= out >>> 48;
        return out * (low | 1);
    }

    /** From 0 to below {@code bound}. */
    int below(int bound) {
        if ((bound & bound - 1) == 0) {
            return (int) next() & bound - 1;
        }
        long drawn = next();
        long rest = drawn * bound;
        if (Long.compareUnsigned(rest, bound) < 0) {
            long threshold = Long.remainderUnsigned(-bound, bound);
            while (Long.compareUnsigned(rest, threshold) < 0) {
                drawn = next();
                rest = drawn * bound;
            }
        }
        return (int) Math.unsignedMultiplyHigh(drawn, bound);
    }
}
