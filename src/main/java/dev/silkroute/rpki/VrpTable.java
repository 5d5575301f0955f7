package dev.silkroute.rpki;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * VRPs in the order of their prefixes, in arrays of primitive values: about 18 bytes for an IPv4 VRP and 26 for an
 * IPv6 one.
 *
 * <p>In the order of addresses, and of lengths where the addresses are equal, every VRP that covers a prefix is before
 * it, and covers all prefixes between. So a validation is one binary search, for the last VRP that is not behind the
 * prefix, and a walk to the VRPs that cover this one. Immutable.
 *
 * <pre>
 * index    VRP                        covering
 *   0      10.0.0.0/8-8    AS 64500     -1
 *   1      10.1.0.0/16-24  AS 64501      0
 *   2      10.1.0.0/16-24  AS 64502      0
 *   3      10.1.2.0/24-24  AS 64503      2
 * 10.1.3.0/24 is behind 3, which does not cover it, but 2, with 1 of the same prefix, and 0 do.
 * </pre>
 */
public final class VrpTable {
    /** The table of a station without VRPs, in which no route is found. */
    public static final VrpTable EMPTY = of(List.of());

    private static final Comparator<Vrp> ORDER = Comparator.<Vrp, Long>comparing(
                    vrp -> vrp.prefix().high(), Long::compareUnsigned)
            .thenComparing(vrp -> vrp.prefix().low(), Long::compareUnsigned)
            .thenComparingInt(vrp -> vrp.prefix().length())
            .thenComparingInt(Vrp::maxLength)
            .thenComparingInt(Vrp::asn);

    private final Side ipv4;
    private final Side ipv6;

    private VrpTable(Side ipv4, Side ipv6) {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    /** Creates a table. VRPs that occur several times, for example below several trust anchors, are stored once. */
    public static VrpTable of(Collection<Vrp> vrps) {
        List<Vrp> ipv4 = new ArrayList<>();
        List<Vrp> ipv6 = new ArrayList<>();
        for (Vrp vrp : vrps) {
            (vrp.prefix().ipv6() ? ipv6 : ipv4).add(vrp);
        }
        return new VrpTable(new Side(sorted(ipv4), false), new Side(sorted(ipv6), true));
    }

    private static List<Vrp> sorted(List<Vrp> vrps) {
        vrps.sort(ORDER);
        List<Vrp> distinct = new ArrayList<>(vrps.size());
        for (Vrp vrp : vrps) {
            if (distinct.isEmpty() || !distinct.getLast().equals(vrp)) {
                distinct.add(vrp);
            }
        }
        return distinct;
    }

    /** Returns the number of different VRPs. */
    public int size() {
        return ipv4.size() + ipv6.size();
    }

    /** Returns whether the table has this very VRP. */
    public boolean contains(Vrp vrp) {
        return (vrp.prefix().ipv6() ? ipv6 : ipv4).contains(vrp);
    }

    /** Returns all VRPs, IPv4 first, each sorted by address, prefix length, maximum length and AS. */
    public List<Vrp> toList() {
        List<Vrp> vrps = new ArrayList<>(size());
        ipv4.addTo(vrps);
        ipv6.addTo(vrps);
        return vrps;
    }

    /** Returns the VRPs that the other table does not have, in the order of {@link #toList}. */
    public List<Vrp> minus(VrpTable other) {
        List<Vrp> vrps = new ArrayList<>();
        ipv4.addDifference(other.ipv4, vrps);
        ipv6.addDifference(other.ipv6, vrps);
        return vrps;
    }

    /**
     * Returns the validity of a unicast route; empty if the table is, because a station without VRPs cannot validate.
     *
     * @param origin the AS that is validated; empty if the path ends with a set
     */
    public Optional<Validity> validity(IpPrefix prefix, OptionalLong origin) {
        if (size() == 0) {
            return Optional.empty();
        }
        return Optional.of(
                origin.isPresent() ? validate(prefix, (int) origin.getAsLong()) : validateWithoutOrigin(prefix));
    }

    /** Validates a route with an origin AS. */
    public Validity validate(IpPrefix prefix, int originAsn) {
        return validate(prefix, true, originAsn);
    }

    /**
     * Validates a route without an origin AS, whose path ends with a set. No VRP makes it valid (RFC 6811, Section 2).
     */
    public Validity validateWithoutOrigin(IpPrefix prefix) {
        return validate(prefix, false, 0);
    }

    private Validity validate(IpPrefix prefix, boolean hasOrigin, int originAsn) {
        return validate(prefix.ipv6(), prefix.high(), prefix.low(), prefix.length(), hasOrigin ? originAsn : 0);
    }

    /**
     * Validates a route without allocation.
     *
     * @param high the upper half of an IPv6 address, 0 for IPv4
     * @param low the lower half, or an IPv4 address
     * @param originAsn 0 without an origin AS: no VRP makes either valid
     */
    public Validity validate(boolean isIpv6, long high, long low, int length, int originAsn) {
        return (isIpv6 ? ipv6 : ipv4).validate(high, low, length, originAsn);
    }

    /** Returns the VRPs that cover a prefix, whatever their AS and maximum length, the shortest first. */
    public List<Vrp> covering(IpPrefix prefix) {
        return (prefix.ipv6() ? ipv6 : ipv4).covering(prefix);
    }

    /** The VRPs of one IP version, sorted by address, prefix length, maximum length and AS. */
    private static final class Side {
        private final boolean ipv6;
        /** Upper halves of the prefixes; empty for IPv4, whose upper halves are 0. */
        private final long[] highs;

        private final long[] lows;
        private final byte[] lengths;
        private final byte[] maxLengths;
        private final int[] asns;
        /** Index of the last VRP with the longest shorter prefix that covers the VRP's prefix; -1 without one. */
        private final int[] coverings;

        Side(List<Vrp> sorted, boolean ipv6) {
            this.ipv6 = ipv6;
            highs = new long[ipv6 ? sorted.size() : 0];
            lows = new long[sorted.size()];
            lengths = new byte[sorted.size()];
            maxLengths = new byte[sorted.size()];
            asns = new int[sorted.size()];
            coverings = new int[sorted.size()];
            for (int i = 0; i < sorted.size(); i++) {
                Vrp vrp = sorted.get(i);
                if (ipv6) {
                    highs[i] = vrp.prefix().high();
                }
                lows[i] = vrp.prefix().low();
                lengths[i] = (byte) vrp.prefix().length();
                maxLengths[i] = (byte) vrp.maxLength();
                asns[i] = vrp.asn();
                coverings[i] = covering(i);
            }
        }

        /** Returns the index for {@link #coverings} of a VRP; those before it have theirs. */
        private int covering(int i) {
            if (i > 0 && hasPrefixOf(i - 1, i)) {
                return coverings[i - 1];
            }
            int before = i - 1;
            while (before >= 0 && !covers(before, high(i), lows[i], length(i))) {
                before = coverings[before];
            }
            return before;
        }

        int size() {
            return lows.length;
        }

        private long high(int i) {
            return ipv6 ? highs[i] : 0;
        }

        private int length(int i) {
            return Byte.toUnsignedInt(lengths[i]);
        }

        private boolean hasPrefixOf(int i, int other) {
            return lows[i] == lows[other] && lengths[i] == lengths[other] && high(i) == high(other);
        }

        private boolean covers(int i, long high, long low, int length) {
            int bits = length(i);
            return bits <= length
                    && (ipv6
                            ? highs[i] == Addresses.maskHigh(high, bits) && lows[i] == Addresses.maskLow(low, bits)
                            : lows[i] == Integer.toUnsignedLong(Addresses.maskIpv4((int) low, bits)));
        }

        Validity validate(long high, long low, int length, int originAsn) {
            boolean covered = false;
            for (int last = last(high, low, length); last >= 0; last = coverings[last]) {
                if (!covers(last, high, low, length)) {
                    continue;
                }
                covered = true;
                for (int i = last; originAsn != 0 && i >= 0 && hasPrefixOf(i, last); i--) {
                    if (asns[i] == originAsn && length <= Byte.toUnsignedInt(maxLengths[i])) {
                        return Validity.VALID;
                    }
                }
            }
            return covered ? Validity.INVALID : Validity.NOT_FOUND;
        }

        boolean contains(Vrp vrp) {
            return contains(
                    vrp.prefix().high(), vrp.prefix().low(), vrp.prefix().length(), (byte) vrp.maxLength(), vrp.asn());
        }

        private boolean contains(long high, long low, int length, byte maxLength, int asn) {
            for (int i = last(high, low, length); i >= 0 && compare(i, high, low, length) == 0; i--) {
                if (asns[i] == asn && maxLengths[i] == maxLength) {
                    return true;
                }
            }
            return false;
        }

        void addDifference(Side other, List<Vrp> vrps) {
            for (int i = 0; i < size(); i++) {
                if (!other.contains(high(i), lows[i], length(i), maxLengths[i], asns[i])) {
                    vrps.add(vrp(i));
                }
            }
        }

        void addTo(List<Vrp> vrps) {
            for (int i = 0; i < size(); i++) {
                vrps.add(vrp(i));
            }
        }

        private Vrp vrp(int i) {
            return new Vrp(new IpPrefix(ipv6, high(i), lows[i], length(i)), Byte.toUnsignedInt(maxLengths[i]), asns[i]);
        }

        List<Vrp> covering(IpPrefix prefix) {
            List<Vrp> found = new ArrayList<>();
            int last = last(prefix.high(), prefix.low(), prefix.length());
            for (; last >= 0; last = coverings[last]) {
                if (covers(last, prefix.high(), prefix.low(), prefix.length())) {
                    for (int i = last; i >= 0 && hasPrefixOf(i, last); i--) {
                        found.add(vrp(i));
                    }
                }
            }
            return found.reversed();
        }

        /** Returns the index of the last VRP whose prefix is not behind the given one; -1 without one. */
        private int last(long high, long low, int length) {
            int from = 0;
            int to = size();
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (compare(middle, high, low, length) <= 0) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from - 1;
        }

        private int compare(int i, long high, long low, int length) {
            int order = ipv6 ? Long.compareUnsigned(highs[i], high) : 0;
            if (order == 0) {
                order = Long.compareUnsigned(lows[i], low);
            }
            return order == 0 ? Integer.compare(length(i), length) : order;
        }
    }
}
