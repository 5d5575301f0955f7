package dev.silkroute.postgres.state;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A Bloom filter of route hashes that grows with its content: a route that it has not seen may be reported as seen, one
 * in a hundred at most, but never the other way round. {@value #BITS_PER_ROUTE} bits per route. Not thread-safe.
 *
 * <p>It is a list of filters, each eight times as large as the one before. All bits of a route lie in one block of 64
 * bytes, a cache line:
 *
 * <pre>
 * hash 64 bits: selects the block | remixed: 6 x 9 bits, each the number of a bit in the block
 * </pre>
 */
final class RouteFilter {
    private static final int BITS_PER_ROUTE = 16;
    private static final int FIRST_CAPACITY = 512;
    private static final int GROWTH_SHIFT = 3;

    private static final int BLOCK_WORDS = 8;
    private static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;
    private static final int BIT_NUMBER_BITS = 9;
    private static final int PROBES = 6;
    /** An odd constant with irregular bits (2^64 divided by the golden ratio). */
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final LongPredicate reserve;
    private final List<long[]> parts = new ArrayList<>(4);
    private int room;
    private long bytes;

    /** @param reserve called with the number of bytes before each allocation; false forbids it */
    RouteFilter(LongPredicate reserve) {
        this.reserve = reserve;
    }

    /** The memory in use. */
    long bytes() {
        return bytes;
    }

    /** The result of {@link #add}. */
    enum Outcome {
        /** The route was certainly not in the filter and is now. */
        NEW,
        SEEN,
        /** The route may be new, and was not added because its memory is limited. */
        FULL
    }

    /** Adds a route unless it has been seen. @param hash a keyed hash, so that routers cannot choose it */
    Outcome add(long hash) {
        long bits = hash * MIX;
        for (long[] part : parts) {
            if (contains(part, block(part, hash), bits)) {
                return Outcome.SEEN;
            }
        }
        if (room == 0 && !grow()) {
            return Outcome.FULL;
        }
        room--;
        long[] last = parts.getLast();
        int block = block(last, hash);
        for (int i = 0; i < PROBES; i++) {
            int bit = bit(bits, i);
            last[block + (bit >>> 6)] |= 1L << bit;
        }
        return Outcome.NEW;
    }

    private boolean grow() {
        long capacity = (long) FIRST_CAPACITY << GROWTH_SHIFT * parts.size();
        long words = capacity * BITS_PER_ROUTE / Long.SIZE;
        if (words > Integer.MAX_VALUE / 2 || !reserve.test(words * Long.BYTES)) {
            return false;
        }
        parts.add(new long[(int) words]);
        bytes += words * Long.BYTES;
        room = (int) capacity;
        return true;
    }

    private static boolean contains(long[] part, int block, long bits) {
        for (int i = 0; i < PROBES; i++) {
            int bit = bit(bits, i);
            if ((part[block + (bit >>> 6)] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int block(long[] part, long hash) {
        return (int) Math.unsignedMultiplyHigh(hash, part.length / BLOCK_WORDS) * BLOCK_WORDS;
    }

    private static int bit(long bits, int probe) {
        return (int) (bits >>> Long.SIZE - BIT_NUMBER_BITS * (probe + 1)) & BLOCK_BITS - 1;
    }
}
