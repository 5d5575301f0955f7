package dev.silkroute.perf.rib;

/** Nanoseconds by number: steps of at most 1.6 %, nothing allocated. One thread writes. */
final class Latencies {
    private static final int BITS = 6;
    private static final int STEPS = 1 << BITS;

    private final long[] counts = new long[(64 - BITS) * STEPS];
    private long total;
    private long max;

    void add(long nanos) {
        counts[index(Math.max(0, nanos))]++;
        total++;
        max = Math.max(max, nanos);
    }

    private static int index(long nanos) {
        int shift = Math.max(0, 64 - BITS - 1 - Long.numberOfLeadingZeros(nanos | 1));
        return shift * STEPS + (int) (nanos >>> shift);
    }

    /** Returns a quantile: the lower end of the step that contains it. */
    long quantile(double part) {
        long left = (long) Math.ceil(total * part);
        for (int i = 0; i < counts.length; i++) {
            left -= counts[i];
            if (left <= 0) {
                int shift = Math.max(0, i / STEPS - 1);
                return i < STEPS ? i : (long) (i - shift * STEPS) << shift;
            }
        }
        return max;
    }

    long total() {
        return total;
    }

    String text() {
        return "reads=%d p50=%d p99=%d p999=%d max=%d"
                .formatted(total, quantile(0.5), quantile(0.99), quantile(0.999), max);
    }
}
