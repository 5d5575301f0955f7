package dev.silkroute.rpki;

import dev.silkroute.net.IpPrefix;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/**
 * Unsorted VRPs of one IP version in arrays of primitive values, 14 bytes for an IPv4 VRP and 22 for an IPv6 one. So
 * a table of the world's VRPs is made in a small heap, without half a million objects to sort. For one thread.
 */
final class VrpColumns {
    private static final int INITIAL_CAPACITY = 16;

    private final boolean ipv6;
    private int size;
    /** Upper halves of the prefixes; empty for IPv4, whose upper halves are 0. */
    private long[] highs;

    private long[] lows;
    private byte[] lengths;
    private byte[] maxLengths;
    private int[] asns;

    VrpColumns(boolean ipv6) {
        this.ipv6 = ipv6;
        highs = new long[ipv6 ? INITIAL_CAPACITY : 0];
        lows = new long[INITIAL_CAPACITY];
        lengths = new byte[INITIAL_CAPACITY];
        maxLengths = new byte[INITIAL_CAPACITY];
        asns = new int[INITIAL_CAPACITY];
    }

    int size() {
        return size;
    }

    void add(Vrp vrp) {
        if (size == lows.length) {
            grow(size + (size >> 1));
        }
        IpPrefix prefix = vrp.prefix();
        if (ipv6) {
            highs[size] = prefix.high();
        }
        lows[size] = prefix.low();
        lengths[size] = (byte) prefix.length();
        maxLengths[size] = (byte) vrp.maxLength();
        asns[size] = vrp.asn();
        size++;
    }

    private void grow(int capacity) {
        highs = ipv6 ? Arrays.copyOf(highs, capacity) : highs;
        lows = Arrays.copyOf(lows, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
        maxLengths = Arrays.copyOf(maxLengths, capacity);
        asns = Arrays.copyOf(asns, capacity);
    }

    /** Returns the indexes of the different VRPs, sorted by address, prefix length, maximum length and AS. */
    int[] sortedDistinct() {
        int[] order = new int[size];
        Arrays.setAll(order, i -> i);
        sort(order.clone(), order, 0, size);
        int distinct = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || compare(order[distinct - 1], order[i]) != 0) {
                order[distinct++] = order[i];
            }
        }
        return Arrays.copyOf(order, distinct);
    }

    /** Sorts a part of an array by merging. Both arrays have the same content. */
    private void sort(int[] source, int[] target, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(target, source, from, middle);
        sort(target, source, middle, to);
        if (compare(source[middle - 1], source[middle]) <= 0) {
            System.arraycopy(source, from, target, from, to - from);
            return;
        }
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean isLeft = right == to || left < middle && compare(source[left], source[right]) <= 0;
            target[i] = source[isLeft ? left++ : right++];
        }
    }

    private int compare(int index, int other) {
        int order = ipv6 ? Long.compareUnsigned(highs[index], highs[other]) : 0;
        if (order == 0) {
            order = Long.compareUnsigned(lows[index], lows[other]);
        }
        if (order == 0) {
            order = Byte.compareUnsigned(lengths[index], lengths[other]);
        }
        if (order == 0) {
            order = Byte.compareUnsigned(maxLengths[index], maxLengths[other]);
        }
        return order == 0 ? Integer.compare(asns[index], asns[other]) : order;
    }

    /** Returns the prefixes of indexes. */
    List<IpPrefix> prefixes(int[] indexes) {
        return new AbstractList<>() {
            @Override
            public IpPrefix get(int i) {
                int index = indexes[i];
                return new IpPrefix(ipv6, ipv6 ? highs[index] : 0, lows[index], Byte.toUnsignedInt(lengths[index]));
            }

            @Override
            public int size() {
                return indexes.length;
            }
        };
    }

    byte maxLength(int index) {
        return maxLengths[index];
    }

    int asn(int index) {
        return asns[index];
    }
}
