package dev.silkroute.alert;

import dev.silkroute.net.Addresses;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The monitored prefixes of one address family, for lookups of the longest one that covers a prefix. They are sorted by
 * address and length, so a prefix follows those that cover it, and the longest covering one is the last entry that is
 * not greater, or one of the entries that cover that one. A lookup allocates nothing. Immutable.
 */
final class MonitoredPrefixes {
    private final boolean ipv6;
    private final MonitoredPrefix[] entries;
    private final long[] highs;
    private final long[] lows;
    private final int[] lengths;
    /** Index of the longest shorter prefix that covers the entry's; −1 without one. */
    private final int[] coverings;

    MonitoredPrefixes(Collection<MonitoredPrefix> all, boolean ipv6) {
        this.ipv6 = ipv6;
        List<MonitoredPrefix> sorted = all.stream()
                .filter(entry -> entry.prefix().ipv6() == ipv6)
                .sorted((one, other) -> AlertRules.ORDER.compare(one.prefix(), other.prefix()))
                .toList();
        entries = sorted.toArray(MonitoredPrefix[]::new);
        highs = sorted.stream().mapToLong(entry -> entry.prefix().high()).toArray();
        lows = sorted.stream().mapToLong(entry -> entry.prefix().low()).toArray();
        lengths = sorted.stream().mapToInt(entry -> entry.prefix().length()).toArray();
        coverings = new int[entries.length];
        Arrays.setAll(coverings, i -> covering(i - 1, highs[i], lows[i], lengths[i]));
    }

    /** Returns the entry of the longest monitored prefix that covers a prefix; null if there is none. */
    @Nullable
    MonitoredPrefix find(long high, long low, int length) {
        int found = covering(lastNotAbove(high, low, length), high, low, length);
        return found < 0 ? null : entries[found];
    }

    /** Returns the first entry that covers a prefix, of an entry and those that cover it; −1 without one. */
    private int covering(int from, long high, long low, int length) {
        int entry = from;
        while (entry >= 0 && !covers(entry, high, low, length)) {
            entry = coverings[entry];
        }
        return entry;
    }

    private boolean covers(int entry, long high, long low, int length) {
        int bits = lengths[entry];
        if (bits > length) {
            return false;
        }
        return ipv6
                ? Addresses.maskHigh(high, bits) == highs[entry] && Addresses.maskLow(low, bits) == lows[entry]
                : Integer.toUnsignedLong(Addresses.maskIpv4((int) low, bits)) == lows[entry];
    }

    /** Returns the index of the last entry that is not greater than a prefix; −1 without one. */
    private int lastNotAbove(long high, long low, int length) {
        int from = 0;
        int to = entries.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (isAbove(middle, high, low, length)) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from - 1;
    }

    private boolean isAbove(int entry, long high, long low, int length) {
        int order = Long.compareUnsigned(highs[entry], high);
        if (order == 0) {
            order = Long.compareUnsigned(lows[entry], low);
        }
        return order == 0 ? lengths[entry] > length : order > 0;
    }
}
