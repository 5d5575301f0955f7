package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.List;

/**
 * The attributes of a route, drawn from where it is and how often it was changed. Used again for each message, so that nothing is
 * allocated but what few routes have; {@link AttributesWriter} writes and {@link ExpectedRoute} tells what is here. Not thread-safe.
 */
final class RouteAttributes {
    private static final int LOCAL_PREF = 100;
    private static final int PROVIDER_EDGES = 0x0A02_0000; // 10.2.0.0/16
    private static final int CLUSTERS = 0x0A03_0000; // 10.3.0.0/16

    /** Where the router's copy of the route comes from, and where it is seen. */
    private record Place(LoadPeer peer, LoadPeer source, RibView view) {
        /** It goes to another AS. */
        boolean leaving() {
            return view.adjRibOut() && !peer.internal();
        }

        /** It comes from a router of the own AS, and is seen there still. */
        boolean inside() {
            return source.internal() && !leaving();
        }

        boolean hasLocalPref() {
            return inside()
                    || view == RibView.ADJ_RIB_IN_POST_POLICY
                    || view == RibView.LOC_RIB
                    || view.adjRibOut() && peer.internal();
        }
    }

    private final long seed;
    private final Dice dice = new Dice();

    final RoutePath path;
    final RouteNextHop nextHop = new RouteNextHop();
    Origin origin = Origin.IGP;

    /** -1 where there is none, and so {@link #localPref}. */
    int med;

    int localPref;
    boolean atomicAggregate;

    /** 0 where there is none, and so {@link #originatorId}. */
    int aggregatorAsn;

    int aggregatorAddress;
    final int[] communities = new int[5];
    int communityCount;
    int originatorId;
    int[] clusters = {};

    /** Three for each large community. */
    final int[] largeParts = new int[6];

    int largeCount;
    final List<ExtendedChoice.Choice> extended = new ArrayList<>();
    final List<ExtendedChoice.Ipv6Choice> ipv6Extended = new ArrayList<>();
    final List<RareAttribute> rare = new ArrayList<>();

    RouteAttributes(long seed) {
        this.seed = seed;
        path = new RoutePath(seed);
    }

    /**
     * @param group first slot of those that share these
     * @param kind {@link Nlris#kind}
     * @param version 0 as at the beginning
     */
    void draw(LoadPeer peer, RibView view, int family, int group, int kind, int version) {
        LoadPeer source = peer.source(view, group);
        Place place = new Place(peer, source, view);
        dice.at(seed, source.number(), (long) family << 32 | group, version);
        drawPath(place);
        boolean neighbour = !place.leaving() && !source.internal();
        int address = place.leaving()
                ? peer.routerId()
                : source.internal() ? PROVIDER_EDGES + 1 + dice.below(8) : source.nextHop();
        nextHop.set(family, address, peer.ipv6(), neighbour);
        int drawn = dice.below(100);
        origin = drawn < 10 ? Origin.INCOMPLETE : drawn == 10 ? Origin.EGP : Origin.IGP;
        med = dice.below(10) < 4 ? dice.below(200) : -1;
        int preference = LOCAL_PREF + 10 * dice.below(3);
        localPref = place.hasLocalPref() ? preference : -1;
        aggregate();
        drawCommunities();
        drawReflection(place);
        extended.clear();
        ExtendedChoice.draw(dice, family, kind, place.inside(), extended);
        ipv6Extended.clear();
        ExtendedChoice.drawIpv6(dice, family, ipv6Extended);
        drawRare(place, family, group, kind);
    }

    private void drawPath(Place place) {
        path.clear();
        if (place.leaving()) {
            path.add(LoadPeer.ROUTER_ASN);
        }
        if (place.source.internal()) {
            boolean ownRoute = dice.oneIn(40);
            if (!ownRoute) {
                path.draw(dice, 0);
            }
            int member = dice.below(60);
            if (member < 2 && place.inside()) {
                path.confederate(member);
            }
        } else {
            path.add(place.source.upstreamAsn());
            path.draw(dice, 1);
        }
    }

    /** Routes that say who has aggregated them, a few of which have lost a part of their path by that. */
    private void aggregate() {
        int drawn = dice.below(100);
        atomicAggregate = drawn < 4;
        aggregatorAsn = drawn < 8 || path.aggregated() ? path.last() : 0;
        aggregatorAddress = 0xC633_6400 | dice.below(256); // 198.51.100.0/24
    }

    private void drawCommunities() {
        communityCount = 0;
        for (int more = dice.below(10) - 4; more > 0; more--) {
            add((path.any(dice) & 0xFFFF) << 16 | dice.below(3));
        }
        largeCount = 0;
        for (int more = dice.below(100) - 97; more > 0; more--) {
            int asn = path.any(dice);
            // The same twice is one.
            if (largeCount == 0 || largeParts[0] != asn) {
                largeParts[largeCount++] = asn;
                largeParts[largeCount++] = dice.below(2) + 1;
                largeParts[largeCount++] = dice.below(2) + 1;
            }
        }
    }

    /** Ascending, none twice. */
    private void add(int community) {
        int at = communityCount;
        while (at > 0 && Integer.compareUnsigned(communities[at - 1], community) > 0) {
            at--;
        }
        if (at > 0 && communities[at - 1] == community) {
            return;
        }
        System.arraycopy(communities, at, communities, at + 1, communityCount - at);
        communities[at] = community;
        communityCount++;
    }

    /** RFC 4456: a route reflector says who brought the route into the AS, and whose clusters it has passed. */
    private void drawReflection(Place place) {
        originatorId = 0;
        clusters = new int[0];
        if (place.inside() && place.source.internal()) {
            originatorId = nextHop.address();
            clusters = new int[1 + dice.below(2)];
            for (int i = 0; i < clusters.length; i++) {
                clusters[i] = CLUSTERS + i + 1;
            }
        }
    }

    private void drawRare(Place place, int family, int group, int kind) {
        rare.clear();
        switch (family) {
            case Family.IPV4_UNICAST, Family.IPV6_UNICAST -> {
                if (dice.oneIn(20)) {
                    rare.add(RareAttribute.onlyToCustomer(path.any(dice)));
                }
            }
            case Family.IPV4_LABELED_UNICAST, Family.IPV6_LABELED_UNICAST -> {
                if (place.inside() && dice.oneIn(4)) {
                    rare.add(RareAttribute.aigp(10 + dice.below(1000)));
                }
                if (dice.oneIn(2)) {
                    rare.add(RareAttribute.labelIndex(dice.below(8000)));
                }
            }
            case Family.VPNV4, Family.VPNV6 -> drawVpn(family);
            case Family.EVPN -> {
                if (kind == EvpnNlris.INCLUSIVE_MULTICAST) {
                    rare.add(RareAttribute.ingressReplication(EvpnNlris.vni(group), nextHop.address()));
                }
            }
            default -> {}
        }
        if (dice.oneIn(200)) {
            rare.add(RareAttribute.unknown((int) dice.next(), dice.oneIn(2)));
        }
    }

    private void drawVpn(int family) {
        if (dice.oneIn(50)) {
            rare.add(RareAttribute.tunnel(nextHop.address(), 5000 + dice.below(8)));
        }
        if (dice.oneIn(10)) {
            rare.add(RareAttribute.srv6Service(family == Family.VPNV6, 0x1000 + dice.below(100)));
        }
        if (dice.oneIn(50)) {
            rare.add(RareAttribute.customerAttributes(65_001, 65_001, dice.below(100)));
        }
    }
}
