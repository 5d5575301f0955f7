package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is to be made.
 *
 * @param seed other seeds make other prefixes, paths and changes
 * @param peers of each router
 * @param prefixes of each peer in each family and view; the Loc-RIB has as many of its own
 * @param families of {@link #FAMILIES}
 * @param views which of the five tables each router shows
 * @param paths of each prefix: more than one with ADD-PATH, 0 without
 * @param churn which changes
 * @param changes churn events of all routers together
 * @param down whether peers go down and the router says goodbye at the end
 * @param malformed of 100 messages of tables and changes, so many are followed by a malformed one
 */
public record LoadProfile(
        long seed,
        int routers,
        int peers,
        int prefixes,
        List<Integer> families,
        Set<RibView> views,
        int paths,
        Churn churn,
        long changes,
        boolean down,
        int malformed) {
    public static final int MOST_PREFIXES = 4_000_000;
    public static final int MOST_ROUTERS = 10_000;
    public static final int MOST_PEERS = 10_000;
    public static final int MOST_PATHS = 16;

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

    /** Without malformed messages. */
    public LoadProfile(
            long seed,
            int routers,
            int peers,
            int prefixes,
            List<Integer> families,
            Set<RibView> views,
            int paths,
            Churn churn,
            long changes,
            boolean down) {
        this(seed, routers, peers, prefixes, families, views, paths, churn, changes, down, 0);
    }

    public LoadProfile {
        families = List.copyOf(families);
        views = Set.copyOf(views);
        check("routers", routers, 1, MOST_ROUTERS);
        check("peers", peers, 1, MOST_PEERS);
        check("prefixes", prefixes, 1, MOST_PREFIXES);
        check("paths", paths, 0, MOST_PATHS);
        // A slot is an int.
        check("prefixes and paths together", (long) prefixes * Math.max(paths, 1), 1, 16L * 1_000_000);
        check("changes", changes, 0, Long.MAX_VALUE);
        check("malformed", malformed, 0, 100);
        if (families.isEmpty() || views.isEmpty() || !FAMILIES.containsAll(families)) {
            throw new IllegalArgumentException("no families, no views, or a family that can't be made");
        }
        if (Set.copyOf(families).size() != families.size()) {
            throw new IllegalArgumentException("a family is named twice");
        }
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", not " + value);
        }
    }

    boolean addPath() {
        return paths > 0;
    }

    /** Routes of one peer in one view and family. */
    int slots() {
        return prefixes * Math.max(paths, 1);
    }

    /** Churn events of one router. */
    long changes(int router) {
        return changes / routers + (router < changes % routers ? 1 : 0);
    }

    /** Routes announced at the beginning, by all routers together. */
    public long initialRoutes() {
        Set<RibView> ofPeers = EnumSet.copyOf(views);
        boolean locRib = ofPeers.remove(RibView.LOC_RIB);
        long ribs = (long) ofPeers.size() * peers + (locRib ? 1 : 0);
        return routers * ribs * families.size() * slots();
    }
}
