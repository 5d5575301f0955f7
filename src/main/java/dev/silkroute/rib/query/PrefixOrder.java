package dev.silkroute.rib.query;

import dev.silkroute.rib.Route;
import java.util.Comparator;

/**
 * The order in which tries are walked: IPv4, IPv6, NLRI that are not prefixes; then by address, length, family and RD.
 */
final class PrefixOrder implements Comparator<Route> {
    static final PrefixOrder INSTANCE = new PrefixOrder();

    private PrefixOrder() {}

    private static int rank(Route route) {
        return !route.isPrefix() ? 2 : route.ipv6() ? 1 : 0;
    }

    @Override
    public int compare(Route one, Route other) {
        int byRank = Integer.compare(rank(one), rank(other));
        if (byRank != 0) {
            return byRank;
        }
        int byPrefix = one.isPrefix() ? prefixes(one, other) : one.nlri().compareTo(other.nlri());
        if (byPrefix != 0) {
            return byPrefix;
        }
        int byFamily = Integer.compare(one.family(), other.family());
        return byFamily != 0 ? byFamily : Long.compareUnsigned(one.rd(), other.rd());
    }

    private static int prefixes(Route one, Route other) {
        int byHigh = Long.compareUnsigned(one.addressHigh(), other.addressHigh());
        int byLow = byHigh != 0 ? byHigh : Long.compareUnsigned(one.addressLow(), other.addressLow());
        return byLow != 0 ? byLow : Integer.compare(one.prefixLength(), other.prefixLength());
    }
}
