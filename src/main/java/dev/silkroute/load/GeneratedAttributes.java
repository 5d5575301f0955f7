package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.bgp.attribute.Origin;
import java.util.ArrayList;
import java.util.List;

/**
 * The attributes of one route, drawn from the route's position and version, and their encoding. One instance is drawn
 * into again for each message; only rare attributes allocate. Not thread-safe.
 *
 * <p>MP_REACH_NLRI is not written here but by {@link UpdateWriter}, because it carries the NLRI as well.
 */
final class GeneratedAttributes {
    /** The {@code omitted} argument of {@link #write} that leaves nothing out: no attribute has type 0. */
    static final int NOTHING = 0;

    private static final int LOCAL_PREF = 100;
    private static final int PROVIDER_EDGES = 0x0A02_0000; // 10.2.0.0/16
    private static final int CLUSTERS = 0x0A03_0000; // 10.3.0.0/16

    /**
     * The place where a route is monitored, and its origin.
     *
     * @param peer the peer that the router monitors
     * @param source the peer that the router learned the route from
     * @param group the first slot of the routes that share the attributes
     * @param kind see {@link NlriSeries#kind}
     */
    record Placement(LoadPeer peer, LoadPeer source, RibView view, int family, int group, int kind) {
        /** Returns whether the route is advertised to another AS. */
        boolean isLeaving() {
            return view.adjRibOut() && !peer.internal();
        }

        /** Returns whether the route comes from the router's own AS and is monitored inside it. */
        boolean isInside() {
            return source.internal() && !isLeaving();
        }

        boolean hasLocalPref() {
            return isInside()
                    || view == RibView.ADJ_RIB_IN_POST_POLICY
                    || view == RibView.LOC_RIB
                    || view.adjRibOut() && peer.internal();
        }
    }

    private final long seed;
    private final KeyedRandom random = new KeyedRandom();

    final GeneratedAsPath path;
    final GeneratedNextHop nextHop = new GeneratedNextHop();
    Origin origin = Origin.IGP;

    /** MULTI_EXIT_DISC, or −1 if absent. */
    int med;

    /** LOCAL_PREF, or −1 if absent. */
    int localPref;

    boolean atomicAggregate;

    /** The AS number of AGGREGATOR, or 0 if the attribute is absent. */
    int aggregatorAsn;

    int aggregatorAddress;
    final int[] communities = new int[5];
    int communityCount;

    /** ORIGINATOR_ID, or 0 if absent. */
    int originatorId;

    int[] clusters = {};

    /** Three numbers for each large community. */
    final int[] largeParts = new int[6];

    int largeCount;
    final List<ExtendedCommunityChoices.Choice> extended = new ArrayList<>();
    final List<ExtendedCommunityChoices.Ipv6Choice> ipv6Extended = new ArrayList<>();
    final List<RareAttribute> rare = new ArrayList<>();

    GeneratedAttributes(long seed) {
        this.seed = seed;
        path = new GeneratedAsPath(seed);
    }

    /**
     * Draws the attributes of a route. Equal arguments give equal attributes.
     *
     * @param group the first slot of the routes that share the attributes
     * @param kind see {@link NlriSeries#kind}
     * @param version see {@link RouteVersions}
     */
    void draw(LoadPeer peer, RibView view, int family, int group, int kind, int version) {
        LoadPeer source = peer.source(view, group);
        Placement placement = new Placement(peer, source, view, family, group, kind);
        random.seek(seed, source.number(), (long) family << 32 | group, version);
        drawPath(placement);
        boolean fromNeighbor = !placement.isLeaving() && !source.internal();
        int address = placement.isLeaving()
                ? peer.routerId()
                : source.internal() ? PROVIDER_EDGES + 1 + random.nextInt(8) : source.nextHop();
        nextHop.set(family, address, peer.ipv6(), fromNeighbor);
        int percent = random.nextInt(100);
        origin = percent < 10 ? Origin.INCOMPLETE : percent == 10 ? Origin.EGP : Origin.IGP;
        med = random.nextInt(10) < 4 ? random.nextInt(200) : -1;
        int preference = LOCAL_PREF + 10 * random.nextInt(3);
        localPref = placement.hasLocalPref() ? preference : -1;
        drawAggregation();
        drawCommunities();
        drawReflection(placement);
        extended.clear();
        ExtendedCommunityChoices.draw(random, family, kind, placement.isInside(), extended);
        ipv6Extended.clear();
        ExtendedCommunityChoices.drawIpv6(random, family, ipv6Extended);
        rare.clear();
        RareAttribute.draw(this, placement, random, rare);
    }

    private void drawPath(Placement placement) {
        path.clear();
        if (placement.isLeaving()) {
            path.add(LoadPeer.ROUTER_ASN);
        }
        if (placement.source.internal()) {
            boolean isOwnRoute = random.oneIn(40);
            if (!isOwnRoute) {
                path.draw(random, 0);
            }
            int member = random.nextInt(60);
            if (member < 2 && placement.isInside()) {
                path.prependConfederationMember(member);
            }
        } else {
            path.add(placement.source.upstreamAsn());
            path.draw(random, 1);
        }
    }

    /**
     * Draws AGGREGATOR and ATOMIC_AGGREGATE: 8 % and 4 % of the routes, and AGGREGATOR on every path that ends in a
     * set.
     */
    private void drawAggregation() {
        int percent = random.nextInt(100);
        atomicAggregate = percent < 4;
        aggregatorAsn = percent < 8 || path.hasSet() ? path.lastAsn() : 0;
        aggregatorAddress = 0xC633_6400 | random.nextInt(256); // 198.51.100.0/24
    }

    private void drawCommunities() {
        communityCount = 0;
        for (int more = random.nextInt(10) - 4; more > 0; more--) {
            addCommunity((path.anyAsn(random) & 0xFFFF) << 16 | random.nextInt(3));
        }
        largeCount = 0;
        for (int more = random.nextInt(100) - 97; more > 0; more--) {
            int asn = path.anyAsn(random);
            // A large community that is there twice counts as one (RFC 8092, Section 5).
            if (largeCount == 0 || largeParts[0] != asn) {
                largeParts[largeCount++] = asn;
                largeParts[largeCount++] = random.nextInt(2) + 1;
                largeParts[largeCount++] = random.nextInt(2) + 1;
            }
        }
    }

    /** Inserts in ascending order, without duplicates. */
    private void addCommunity(int community) {
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

    /** Draws ORIGINATOR_ID and CLUSTER_LIST, which a route reflector adds (RFC 4456, Section 8). */
    private void drawReflection(Placement placement) {
        originatorId = 0;
        clusters = new int[0];
        if (placement.isInside() && placement.source.internal()) {
            originatorId = nextHop.address();
            clusters = new int[1 + random.nextInt(2)];
            for (int i = 0; i < clusters.length; i++) {
                clusters[i] = CLUSTERS + i + 1;
            }
        }
    }

    /**
     * Writes all attributes but MP_REACH_NLRI, in ascending order of their types as far as malformed messages allow.
     *
     * @param isFourOctetAs whether the session has four-octet AS numbers
     * @param hasNextHop whether to write NEXT_HOP, for routes outside MP_REACH_NLRI
     * @param omitted the type of the attribute to leave out, or {@link #NOTHING}
     */
    void write(boolean isFourOctetAs, boolean hasNextHop, int omitted, AttributesEncoder out) {
        if (omitted != AttributeCode.ORIGIN) {
            out.origin(origin);
        }
        if (omitted != AttributeCode.AS_PATH) {
            path.write(isFourOctetAs, out);
        }
        if (hasNextHop && omitted != AttributeCode.NEXT_HOP) {
            out.nextHop(nextHop.address());
        }
        if (med >= 0 && omitted != AttributeCode.MULTI_EXIT_DISC) {
            out.med(med);
        }
        if (localPref >= 0 && omitted != AttributeCode.LOCAL_PREF) {
            out.localPref(localPref);
        }
        if (atomicAggregate && omitted != AttributeCode.ATOMIC_AGGREGATE) {
            out.atomicAggregate();
        }
        if (aggregatorAsn != 0 && omitted != AttributeCode.AGGREGATOR) {
            out.aggregator(aggregatorAsn, aggregatorAddress);
        }
        if (communityCount > 0 && omitted != AttributeCode.COMMUNITIES) {
            out.communities(communities, communityCount);
        }
        if (originatorId != 0 && omitted != AttributeCode.ORIGINATOR_ID) {
            out.originatorId(originatorId);
        }
        if (clusters.length > 0 && omitted != AttributeCode.CLUSTER_LIST) {
            out.clusterList(clusters);
        }
        if (!extended.isEmpty() && omitted != AttributeCode.EXTENDED_COMMUNITIES) {
            writeExtended(out);
        }
        if (!ipv6Extended.isEmpty() && omitted != AttributeCode.IPV6_EXTENDED_COMMUNITIES) {
            out.ipv6ExtendedCommunities(ipv6Extended.stream()
                    .map(ExtendedCommunityChoices.Ipv6Choice::value)
                    .toList());
        }
        if (largeCount > 0 && omitted != AttributeCode.LARGE_COMMUNITIES) {
            out.largeCommunities(largeParts, largeCount);
        }
        for (RareAttribute attribute : rare) {
            if (omitted != attribute.type()) {
                out.attribute(attribute.flags(), attribute.type(), attribute.value());
            }
        }
    }

    private void writeExtended(AttributesEncoder out) {
        long[] values = new long[extended.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = extended.get(i).value();
        }
        out.extendedCommunities(values);
    }
}
