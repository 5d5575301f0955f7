package dev.silkroute.load;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/** The NLRI of one family, numbered from 0. Immutable. */
abstract class NlriSeries {
    /** The routers' own AS number, which their route distinguishers carry. */
    static final int PROVIDER_ASN = 64_500;

    private static final int INSTANCES = 8;

    private final int family;

    NlriSeries(int family) {
        this.family = family;
    }

    static NlriSeries of(int family, PrefixTable prefixes) {
        return switch (family) {
            case Family.EVPN -> new EvpnNlriSeries();
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC -> new FlowSpecNlriSeries(family, prefixes);
            default -> new PrefixNlriSeries(family, prefixes);
        };
    }

    static boolean isIpv6(int family) {
        return Family.afi(family) == Family.AFI_IPV6;
    }

    final int family() {
        return family;
    }

    /**
     * Returns the kind of route, which is the EVPN route type or 0. Routes of different kinds do not share attributes.
     */
    int kind(int i) {
        return 0;
    }

    /** Appends the i-th NLRI without a path identifier. */
    abstract void write(int i, boolean withdrawal, ByteSink out);

    /** Returns the number of the VRF that the i-th route is in. */
    static int instance(int i) {
        return 1 + i % INSTANCES;
    }

    /**
     * Appends a route distinguisher of type 0: a two-octet AS number and an assigned number (RFC 4364, Section 4.2).
     */
    static void rd(int i, ByteSink out) {
        out.u16(0).u16(PROVIDER_ASN).u32(instance(i));
    }

    /** Appends the bytes of a prefix without its length. */
    static void address(PrefixTable prefixes, int i, ByteSink out) {
        int length = prefixes.length(i);
        int width = prefixes.ipv6() ? 64 : 32;
        long address = prefixes.address(i);
        for (int bits = 0; bits < length; bits += 8) {
            out.u8((int) (address >>> width - 8 - bits));
        }
    }
}
