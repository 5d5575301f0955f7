package dev.silkroute.rpki;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * VRPs in the order of their prefixes, in arrays of primitive values: about 12 bytes for an IPv4 VRP and 24 for an
 * IPv6 one.
 *
 * <p>A validation searches once for each prefix length of the table that is not longer than the route's, at most 33
 * or 129 and usually a dozen times. Immutable.
 */
public final class VrpTable {
    /** The table of a station without VRPs, in which no route is found. */
    public static final VrpTable EMPTY = of(List.of());

    private static final Comparator<Vrp> ORDER = Comparator.<Vrp>comparingInt(
                    vrp -> vrp.prefix().length())
            .thenComparing(vrp -> vrp.prefix().high(), Long::compareUnsigned)
            .thenComparing(vrp -> vrp.prefix().low(), Long::compareUnsigned)
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
        return new VrpTable(new Side(sorted(ipv4), 32), new Side(sorted(ipv6), 128));
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

    /** Returns all VRPs, IPv4 first, each sorted by prefix length, prefix, maximum length and AS. */
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
     * @param origin the last AS of the path; empty if the path is empty or ends with a set
     */
    public Optional<Validity> validity(IpPrefix prefix, OptionalLong origin) {
        if (size() == 0) {
            return Optional.empty();
        }
        return Optional.of(
                origin.isPresent() ? validate(prefix, (int) origin.getAsLong()) : validateWithoutOrigin(prefix));
    }

    /** Validates a route whose path ends with an AS. */
    public Validity validate(IpPrefix prefix, int originAsn) {
        return validate(prefix, true, originAsn);
    }

    /**
     * Validates a route without an origin AS, whose path is empty or ends with a set. No VRP makes it valid (RFC
     * 6811, Section 2).
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

    /** The VRPs of one IP version, sorted by prefix length, prefix, maximum length and AS. */
    private static final class Side {
        /** Index of the first VRP with a prefix of this length; one element more than there are lengths. */
        private final int[] starts;
        /** Upper halves of the prefixes; empty for IPv4, whose upper halves are 0. */
        private final long[] highs;

        private final long[] lows;
        private final byte[] maxLengths;
        private final int[] asns;

        Side(List<Vrp> sorted, int bits) {
            starts = new int[bits + 2];
            highs = new long[bits == 128 ? sorted.size() : 0];
            lows = new long[sorted.size()];
            maxLengths = new byte[sorted.size()];
            asns = new int[sorted.size()];
            for (int i = 0; i < sorted.size(); i++) {
                Vrp vrp = sorted.get(i);
                if (highs.length > 0) {
                    highs[i] = vrp.prefix().high();
                }
                lows[i] = vrp.prefix().low();
                maxLengths[i] = (byte) vrp.maxLength();
                asns[i] = vrp.asn();
                starts[vrp.prefix().length() + 1]++;
            }
            Arrays.parallelPrefix(starts, Integer::sum);
        }

        int size() {
            return lows.length;
        }

        Validity validate(long high, long low, int length, int originAsn) {
            boolean covered = false;
            for (int bits = 0; bits <= length; bits++) {
                if (starts[bits] == starts[bits + 1]) {
                    continue;
                }
                long maskedHigh = maskedHigh(high, bits);
                long maskedLow = maskedLow(low, bits);
                int end = starts[bits + 1];
                for (int i = first(bits, maskedHigh, maskedLow); i < end && is(i, maskedHigh, maskedLow); i++) {
                    covered = true;
                    if (originAsn != 0 && asns[i] == originAsn && length <= Byte.toUnsignedInt(maxLengths[i])) {
                        return Validity.VALID;
                    }
                }
            }
            return covered ? Validity.INVALID : Validity.NOT_FOUND;
        }

        boolean contains(Vrp vrp) {
            return contains(
                    vrp.prefix().length(), vrp.prefix().high(), vrp.prefix().low(), (byte) vrp.maxLength(), vrp.asn());
        }

        private boolean contains(int bits, long high, long low, byte maxLength, int asn) {
            for (int i = first(bits, high, low); i < starts[bits + 1] && is(i, high, low); i++) {
                if (asns[i] == asn && maxLengths[i] == maxLength) {
                    return true;
                }
            }
            return false;
        }

        void addDifference(Side other, List<Vrp> vrps) {
            for (int bits = 0; bits < starts.length - 1; bits++) {
                for (int i = starts[bits]; i < starts[bits + 1]; i++) {
                    long high = highs.length == 0 ? 0 : highs[i];
                    if (!other.contains(bits, high, lows[i], maxLengths[i], asns[i])) {
                        vrps.add(vrp(i, bits));
                    }
                }
            }
        }

        void addTo(List<Vrp> vrps) {
            for (int bits = 0; bits < starts.length - 1; bits++) {
                for (int i = starts[bits]; i < starts[bits + 1]; i++) {
                    vrps.add(vrp(i, bits));
                }
            }
        }

        private Vrp vrp(int i, int bits) {
            IpPrefix prefix = new IpPrefix(isIpv6(), isIpv6() ? highs[i] : 0, lows[i], bits);
            return new Vrp(prefix, Byte.toUnsignedInt(maxLengths[i]), asns[i]);
        }

        List<Vrp> covering(IpPrefix prefix) {
            List<Vrp> found = new ArrayList<>();
            for (int bits = 0; bits <= prefix.length(); bits++) {
                long high = maskedHigh(prefix.high(), bits);
                long low = maskedLow(prefix.low(), bits);
                for (int i = first(bits, high, low); i < starts[bits + 1] && is(i, high, low); i++) {
                    found.add(vrp(i, bits));
                }
            }
            return found;
        }

        private boolean isIpv6() {
            return starts.length > 34;
        }

        private long maskedHigh(long high, int bits) {
            return isIpv6() ? Addresses.maskHigh(high, bits) : 0;
        }

        private long maskedLow(long low, int bits) {
            return isIpv6()
                    ? Addresses.maskLow(low, bits)
                    : Integer.toUnsignedLong(Addresses.maskIpv4((int) low, bits));
        }

        private boolean is(int i, long high, long low) {
            return lows[i] == low && (highs.length == 0 || highs[i] == high);
        }

        /** Returns the index of the first VRP with a prefix of this length that is not before the given one. */
        private int first(int bits, long high, long low) {
            int from = starts[bits];
            int to = starts[bits + 1];
            while (from < to) {
                int middle = (from + to) >>> 1;
                int order = highs.length == 0 ? 0 : Long.compareUnsigned(highs[middle], high);
                if (order == 0) {
                    order = Long.compareUnsigned(lows[middle], low);
                }
                if (order < 0) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from;
        }
    }
}
