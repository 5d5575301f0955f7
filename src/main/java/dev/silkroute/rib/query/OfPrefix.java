package dev.silkroute.rib.query;

import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;

/** A condition on the relation of a route's prefix to another one. */
final class OfPrefix extends RoutePredicate {
    enum How {
        LONGEST_MATCH("longest match of"),
        EQUAL("="),
        COVERS("covers"),
        COVERED_BY("covered by");

        final String text;

        How(String text) {
            this.text = text;
        }
    }

    final How how;
    final boolean ipv6;
    final long high;
    final long low;
    final int length;

    OfPrefix(How how, boolean ipv6, long high, long low, int length) {
        this.how = how;
        this.ipv6 = ipv6;
        this.length = length;
        this.high = ipv6 ? Addresses.maskHigh(high, length) : 0;
        this.low =
                ipv6 ? Addresses.maskLow(low, length) : Integer.toUnsignedLong(Addresses.maskIpv4((int) low, length));
    }

    /**
     * Tests, for the longest match, only whether the prefix covers the address: a single route does not show whether a
     * longer prefix exists, so the scan has to stop at the first match.
     *
     * @throws IllegalStateException for the longest match of an object, which no scan of prefixes has visited
     */
    @Override
    public boolean test(Route route) {
        if (how == How.LONGEST_MATCH && route instanceof RibRoute) {
            throw new IllegalStateException(
                    "a longest match cannot be tested on objects; apply it before lambdas, skip and limit: " + this);
        }
        if (!route.isPrefix() || route.ipv6() != ipv6) {
            return false;
        }
        int of = route.prefixLength();
        return switch (how) {
            case EQUAL -> of == length && same(route, length);
            case COVERS, LONGEST_MATCH -> of <= length && same(route, of);
            case COVERED_BY -> of >= length && same(route, length);
        };
    }

    private boolean same(Route route, int bits) {
        if (!ipv6) {
            return Addresses.maskIpv4((int) (route.addressLow() ^ low), bits) == 0;
        }
        return Addresses.maskHigh(route.addressHigh() ^ high, bits) == 0
                && Addresses.maskLow(route.addressLow() ^ low, bits) == 0;
    }

    @Override
    Truth of(RibTable table) {
        boolean other = !NlriFormat.isPrefix(table.family())
                || Family.afi(table.family()) != (ipv6 ? Family.AFI_IPV6 : Family.AFI_IPV4);
        return other ? Truth.NONE : Truth.SOME;
    }

    @Override
    boolean longest() {
        return how == How.LONGEST_MATCH;
    }

    @Override
    boolean ofAttributes() {
        return false;
    }

    @Override
    public String toString() {
        return "prefix " + how.text + " " + Addresses.prefix(ipv6, high, low, length);
    }
}
