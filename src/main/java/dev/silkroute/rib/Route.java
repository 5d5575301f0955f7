package dev.silkroute.rib;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.Family;
import java.util.Optional;

/** A route of the RIB: a {@link RouteView} in place, or a {@link RibRoute} to keep. */
public sealed interface Route permits RouteView, RibRoute {
    RibPeer peer();

    /** AS number of the peer, read unsigned. */
    int peerAsn();

    /** The role of the peer for the router; empty if it is unknown. */
    Optional<NeighborRole> neighborRole();

    RibView view();

    /** AFI and SAFI, see {@link Family}. */
    int family();

    /** Returns whether the router's live session has not announced the route. */
    boolean stale();

    /**
     * Returns whether the route's table has had its End-of-RIB in the router's newest session, since a Peer Down: all
     * routes that the router had then are known.
     */
    boolean tableSynchronized();

    boolean hasPathId();

    /** The path identifier, read unsigned; 0 if there is none, which differs from path identifier 0. */
    int pathId();

    /**
     * Returns whether this is a unicast, multicast, labelled or VPN prefix. Accessors of prefixes are valid only then.
     */
    boolean isPrefix();

    /** Returns whether the family's AFI is IPv6. */
    boolean ipv6();

    /** Upper 64 bits of an IPv6 address, 0 for IPv4. */
    long addressHigh();

    /** Lower 64 bits of an IPv6 address, or an IPv4 address in the lower 32 bits. */
    long addressLow();

    int prefixLength();

    boolean hasRd();

    /** The route distinguisher of a VPN prefix, 0 for others. */
    long rd();

    /** The NLRI in its canonical textual form, for any family. */
    String nlri();

    int labelCount();

    /** A label of 20 bits, the outermost first. */
    int label(int index);

    /** See {@link PathMarking}. */
    long marking();

    /** The last AS of the path, -1 if there is none; see {@code docs/reference/rib.md}. */
    long originAs();

    /** MULTI_EXIT_DISC, -1 if there is none. */
    long med();

    /** LOCAL_PREF, -1 if there is none. */
    long localPref();

    /** Returns whether the path contains an AS number. */
    boolean asPathContains(int asn);

    boolean hasCommunity(int community);

    boolean hasLargeCommunity(int global, int local1, int local2);

    /** Returns whether the global next hop is an address; an IPv4 address is in the lower 32 bits of {@code low}. */
    boolean nextHopIs(boolean isIpv6, long high, long low);

    /** All attributes as objects; decoded at each call. */
    PathAttributes attributes();
}
