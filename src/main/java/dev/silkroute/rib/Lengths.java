package dev.silkroute.rib;

import dev.silkroute.net.Addresses;

/** Prefix arithmetic on addresses of 128 bits from the left; unsigned order. */
final class Lengths {
    private Lengths() {}

    static long maskHigh(long high, int length) {
        return Addresses.maskHigh(high, length);
    }

    static long maskLow(long low, int length) {
        return Addresses.maskLow(low, length);
    }

    /** Whether the first {@code length} bits of both are the same. */
    static boolean covers(long high, long low, int length, long otherHigh, long otherLow) {
        return maskHigh(high ^ otherHigh, length) == 0 && maskLow(low ^ otherLow, length) == 0;
    }

    /** Order of prefixes: by address, then the shorter first. */
    static int compare(long high, long low, int length, long otherHigh, long otherLow, int otherLength) {
        int byHigh = Long.compareUnsigned(high, otherHigh);
        int byLow = byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
        return byLow != 0 ? byLow : Integer.compare(length, otherLength);
    }
}
