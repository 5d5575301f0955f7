package dev.silkroute.rib.trie;

import dev.silkroute.net.Addresses;

/** Prefix arithmetic on left-aligned addresses of 128 bits, compared as unsigned numbers. */
public final class PrefixBits {
    private PrefixBits() {}

    public static long maskHigh(long high, int length) {
        return Addresses.maskHigh(high, length);
    }

    public static long maskLow(long low, int length) {
        return Addresses.maskLow(low, length);
    }

    /** Returns whether the first {@code length} bits of two addresses are equal. */
    public static boolean covers(long high, long low, int length, long otherHigh, long otherLow) {
        return maskHigh(high ^ otherHigh, length) == 0 && maskLow(low ^ otherLow, length) == 0;
    }

    /** Orders prefixes by address, then the shorter first. */
    public static int compare(long high, long low, int length, long otherHigh, long otherLow, int otherLength) {
        int byHigh = Long.compareUnsigned(high, otherHigh);
        int byLow = byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
        return byLow != 0 ? byLow : Integer.compare(length, otherLength);
    }
}
