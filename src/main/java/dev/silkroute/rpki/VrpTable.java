package dev.silkroute.rpki;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.SortedPrefixes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * VRPs in the order of their prefixes ({@link SortedPrefixes}), in arrays of primitive values: about 18 bytes for an
 * IPv4 VRP and 26 for an IPv6 one. Immutable.
 */
public final class VrpTable {
    /** The table of a station without VRPs, in which no route is found. */
    public static final VrpTable EMPTY = of(List.of());

    private final Side ipv4;
    private final Side ipv6;

    private VrpTable(Side ipv4, Side ipv6) {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    /** Creates a table. VRPs that occur several times, for example below several trust anchors, are stored once. */
    public static VrpTable of(Iterable<Vrp> vrps) {
        Builder builder = new Builder();
        vrps.forEach(builder::add);
        return builder.build();
    }

    /** Collects the VRPs of a table. For one thread. */
    static final class Builder {
        private final VrpColumns ipv4 = new VrpColumns(false);
        private final VrpColumns ipv6 = new VrpColumns(true);

        void add(Vrp vrp) {
            (vrp.prefix().ipv6() ? ipv6 : ipv4).add(vrp);
        }

        /** Returns the number of VRPs, counting those that occur several times. */
        int size() {
            return ipv4.size() + ipv6.size();
        }

        VrpTable build() {
            return new VrpTable(new Side(ipv4, false), new Side(ipv6, true));
        }
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
        private final SortedPrefixes prefixes;
        private final byte[] maxLengths;
        private final int[] asns;

        Side(VrpColumns vrps, boolean ipv6) {
            int[] sorted = vrps.sortedDistinct();
            prefixes = new SortedPrefixes(vrps.prefixes(sorted), ipv6);
            maxLengths = new byte[sorted.length];
            asns = new int[sorted.length];
            for (int i = 0; i < sorted.length; i++) {
                maxLengths[i] = vrps.maxLength(sorted[i]);
                asns[i] = vrps.asn(sorted[i]);
            }
        }

        int size() {
            return asns.length;
        }

        Validity validate(long high, long low, int length, int originAsn) {
            int last = prefixes.longestCovering(high, low, length);
            if (last < 0) {
                return Validity.NOT_FOUND;
            }
            for (; originAsn != 0 && last >= 0; last = prefixes.covering(last)) {
                for (int i = last; i >= 0 && prefixes.isSame(i, last); i--) {
                    if (asns[i] == originAsn && length <= Byte.toUnsignedInt(maxLengths[i])) {
                        return Validity.VALID;
                    }
                }
            }
            return Validity.INVALID;
        }

        boolean contains(Vrp vrp) {
            IpPrefix prefix = vrp.prefix();
            int last = prefixes.last(prefix.high(), prefix.low(), prefix.length());
            for (int i = last; i >= 0 && prefixes.is(i, prefix.high(), prefix.low(), prefix.length()); i--) {
                if (asns[i] == vrp.asn() && maxLengths[i] == (byte) vrp.maxLength()) {
                    return true;
                }
            }
            return false;
        }

        void addDifference(Side other, List<Vrp> vrps) {
            for (int i = 0; i < size(); i++) {
                Vrp vrp = vrp(i);
                if (!other.contains(vrp)) {
                    vrps.add(vrp);
                }
            }
        }

        void addTo(List<Vrp> vrps) {
            for (int i = 0; i < size(); i++) {
                vrps.add(vrp(i));
            }
        }

        private Vrp vrp(int i) {
            return new Vrp(prefixes.get(i), Byte.toUnsignedInt(maxLengths[i]), asns[i]);
        }

        List<Vrp> covering(IpPrefix prefix) {
            List<Vrp> found = new ArrayList<>();
            int last = prefixes.longestCovering(prefix.high(), prefix.low(), prefix.length());
            for (; last >= 0; last = prefixes.covering(last)) {
                for (int i = last; i >= 0 && prefixes.isSame(i, last); i--) {
                    found.add(vrp(i));
                }
            }
            return found.reversed();
        }
    }
}
