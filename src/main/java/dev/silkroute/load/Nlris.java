package dev.silkroute.load;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.List;

/**
 * The NLRI of one family by their number: as bytes, and as text on a way of its own, so that the one can be held against the other.
 * Immutable.
 */
abstract class Nlris {
    /** Autonomous system of the route distinguishers; the routers' own. */
    static final int PROVIDER = 64_500;

    private static final int INSTANCES = 8;

    private final int family;

    Nlris(int family) {
        this.family = family;
    }

    static Nlris of(int family, PrefixTable prefixes) {
        return switch (family) {
            case Family.EVPN -> new EvpnNlris();
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC -> new FlowSpecNlris(family, prefixes);
            default -> new PrefixNlris(family, prefixes);
        };
    }

    static boolean ipv6(int family) {
        return Family.afi(family) == Family.AFI_IPV6;
    }

    final int family() {
        return family;
    }

    /** As users see it: the column {@code nlri}. */
    abstract String text(int i);

    /** The column {@code labels}. */
    List<Integer> labels(int i) {
        return List.of();
    }

    /** Routes of different kinds don't share their attributes. */
    int kind(int i) {
        return 0;
    }

    /** Without path identifier. */
    abstract void write(int i, boolean withdrawal, ByteSink out);

    /** The VRF that the i-th route is in. */
    static int instance(int i) {
        return 1 + i % INSTANCES;
    }

    static String rd(int i) {
        return PROVIDER + ":" + instance(i);
    }

    /** Type 0: a two-octet AS number and a number of its own (RFC 4364, Section 4.2). */
    static void rd(int i, ByteSink out) {
        out.u16(0).u16(PROVIDER).u32(instance(i));
    }

    /** The bytes of a prefix without its length. */
    static void address(PrefixTable prefixes, int i, ByteSink out) {
        int length = prefixes.length(i);
        int width = prefixes.ipv6() ? 64 : 32;
        long address = prefixes.address(i);
        for (int bits = 0; bits < length; bits += 8) {
            out.u8((int) (address >>> width - 8 - bits));
        }
    }

    static String prefix(PrefixTable prefixes, int i) {
        long address = prefixes.address(i);
        return prefixes.ipv6()
                ? Addresses.prefix(true, address, 0, prefixes.length(i))
                : Addresses.prefix(false, 0, address, prefixes.length(i));
    }
}
