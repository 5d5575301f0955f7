package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Describes the load to generate.
 *
 * @param seed selects prefixes, paths and changes
 * @param routers the number of routers
 * @param peers the number of peers of each router
 * @param prefixes the number of prefixes of each peer in each view, and of the Loc-RIB: one number for each of the
 *     families, or one for all of them
 * @param families a subset of {@link #FAMILIES}
 * @param views the views that each router monitors
 * @param paths the number of paths of each prefix with ADD-PATH, or 0 without ADD-PATH
 * @param churn the kind of changes
 * @param changes the number of changes of all routers together
 * @param down whether the sessions end with Peer Downs and Termination
 * @param malformed the percentage of messages of tables and changes that a malformed message follows
 */
public record LoadProfile(
        long seed,
        int routers,
        int peers,
        List<Integer> prefixes,
        List<Integer> families,
        Set<RibView> views,
        int paths,
        Churn churn,
        long changes,
        boolean down,
        int malformed) {
    /** The most prefixes of a peer in one family. IPv4 has 29 million of the lengths that are generated. */
    public static final int MAX_PREFIXES = 16_000_000;

    public static final int MAX_ROUTERS = 10_000;
    public static final int MAX_PEERS = 10_000;
    public static final int MAX_PATHS = 16;

    public static final List<Integer> FAMILIES = List.of(
            Family.IPV4_UNICAST,
            Family.IPV6_UNICAST,
            Family.IPV4_LABELED_UNICAST,
            Family.IPV6_LABELED_UNICAST,
            Family.VPNV4,
            Family.VPNV6,
            Family.EVPN,
            Family.IPV4_FLOWSPEC,
            Family.IPV6_FLOWSPEC);

    public LoadProfile {
        families = List.copyOf(families);
        prefixes = prefixes.size() == 1
                ? Collections.nCopies(families.size(), prefixes.getFirst())
                : List.copyOf(prefixes);
        views = Set.copyOf(views);
        check("routers", routers, 1, MAX_ROUTERS);
        check("peers", peers, 1, MAX_PEERS);
        check("paths", paths, 0, MAX_PATHS);
        for (int ofFamily : prefixes) {
            check("prefixes", ofFamily, 1, MAX_PREFIXES);
            // Bounds the memory of a RIB's versions, an int for each route.
            check("prefixes and paths together", (long) ofFamily * Math.max(paths, 1), 1, 16L * 1_000_000);
        }
        check("changes", changes, 0, Long.MAX_VALUE);
        check("malformed", malformed, 0, 100);
        if (families.isEmpty() || views.isEmpty() || !FAMILIES.containsAll(families)) {
            throw new IllegalArgumentException(
                    "families and views must not be empty, and families must be among those that can be generated");
        }
        if (Set.copyOf(families).size() != families.size()) {
            throw new IllegalArgumentException("a family is listed twice");
        }
        if (prefixes.size() != families.size()) {
            throw new IllegalArgumentException(
                    "%d numbers of prefixes for %d families: give one for each family, or one for all"
                            .formatted(prefixes.size(), families.size()));
        }
    }

    private static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", not " + value);
        }
    }

    boolean addPath() {
        return paths > 0;
    }

    /** Returns the number of prefixes of one peer in one view of a family. */
    int prefixes(int family) {
        return prefixes.get(families.indexOf(family));
    }

    /** Returns the number of routes of one peer in one view of a family. */
    int slots(int family) {
        return prefixes(family) * Math.max(paths, 1);
    }

    /** Returns the number of changes of one router. */
    long changes(int router) {
        return changes / routers + (router < changes % routers ? 1 : 0);
    }

    /** Returns the number of routes in the table dumps of all routers together. */
    public long initialRoutes() {
        Set<RibView> ofPeers = EnumSet.copyOf(views);
        boolean locRib = ofPeers.remove(RibView.LOC_RIB);
        long ribs = (long) ofPeers.size() * peers + (locRib ? 1 : 0);
        return routers * ribs * families.stream().mapToLong(this::slots).sum();
    }
}
