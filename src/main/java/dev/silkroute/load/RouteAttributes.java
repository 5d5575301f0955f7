package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.bgp.attribute.ExtendedCommunity;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.List;

/** The attributes of a route, from where it is and how often it was changed. Not thread-safe. */
final class RouteAttributes {
    /** How many paths of the global table have that many hops. */
    private static final int[] HOPS =
            Dice.cumulative(0, 3, 366, 9645, 29251, 28984, 7340, 1423, 383, 63, 14, 2, 4, 4, 4, 4, 1);

    private static final int ASNS = 64_494;
    /** One AS number in this many has four octets, and from here on. */
    private static final int WIDE = 4;

    private static final int FIRST_WIDE = 131_072;
    private static final int AS_TRANS = 23_456;
    private static final int LOCAL_PREF = 100;

    private static final long ROUTE_TARGET = ExtendedCommunity.parse("rt:64500:1");
    private static final long VXLAN = ExtendedCommunity.parse("encap:vxlan");
    private static final long RATE = ExtendedCommunity.parse("traffic-rate:64500:0");

    private final long seed;
    private final Dice dice = new Dice();
    private final List<Long> path = new ArrayList<>();

    RouteAttributes(long seed) {
        this.seed = seed;
    }

    /** AS path as text, which is the column {@code as_path}. */
    String asPath(LoadPeer peer, RibView view, int family, int group, int version) {
        draw(peer, view, family, group, version);
        return path().text();
    }

    private void draw(LoadPeer peer, RibView view, int family, int group, int version) {
        dice.at(seed, peer.number(), (long) family << 32 | group, version);
        path.clear();
        if (view.adjRibOut()) {
            path.add(Integer.toUnsignedLong(peer.routerAsn()));
        }
        path.add(Integer.toUnsignedLong(peer.upstreamAsn()));
        for (int hops = dice.pick(HOPS) - 1; hops > 0; hops--) {
            path.add((long) asn());
        }
    }

    private AsPath path() {
        return new AsPath(List.of(new AsPath.Segment(AsPath.SegmentType.SEQUENCE, List.copyOf(path))));
    }

    private int asn() {
        int asn = dice.below(ASNS) + 1;
        if (dice.below(WIDE) == 0) {
            return FIRST_WIDE + asn;
        }
        return asn == AS_TRANS ? AS_TRANS + 1 : asn;
    }

    /** @param nlri what MP_REACH_NLRI announces, where the family has it */
    void write(LoadPeer peer, RibView view, int family, int group, int version, Bytes nlri, AttributesEncoder out) {
        draw(peer, view, family, group, version);
        boolean classic = family == Family.IPV4_UNICAST;
        if (!classic) {
            out.mpReach(family, nextHop(peer, family), nlri);
        }
        // 9 of 10 routes have an origin of IGP.
        out.origin(dice.below(10) == 0 ? Origin.INCOMPLETE : Origin.IGP).asPath(path());
        if (classic) {
            out.nextHop(peer.nextHop());
        }
        if (dice.below(10) < 4) {
            out.med(dice.below(200));
        }
        if (view != RibView.ADJ_RIB_IN_PRE_POLICY && !view.adjRibOut()) {
            out.localPref(LOCAL_PREF + 10 * dice.below(3));
        }
        int communities = dice.below(10) - 4;
        if (communities > 0) {
            out.communities(communities(communities));
        }
        int large = dice.below(100) - 97;
        if (large > 0) {
            out.largeCommunities(onPath(), dice.below(2) + 1, dice.below(2) + 1);
        }
        extendedCommunities(family, out);
    }

    private int[] communities(int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = (onPath() & 0xFFFF) << 16 | i * 100 + dice.below(100);
        }
        return values;
    }

    private int onPath() {
        return path.get(dice.below(path.size())).intValue();
    }

    private static void extendedCommunities(int family, AttributesEncoder out) {
        switch (family) {
            case Family.VPNV4, Family.VPNV6 -> out.extendedCommunities(ROUTE_TARGET);
            case Family.EVPN -> out.extendedCommunities(ROUTE_TARGET, VXLAN);
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC -> out.extendedCommunities(RATE);
            default -> {}
        }
    }

    private static Bytes nextHop(LoadPeer peer, int family) {
        ByteSink out = new ByteSink(24);
        switch (family) {
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC -> {} // RFC 8955, Section 4: none
            case Family.VPNV4 -> out.i64(0).u32(peer.nextHop());
            case Family.VPNV6 -> out.i64(0).i64(LoadPeer.SITE).i64(peer.nextHop());
            case Family.IPV6_UNICAST, Family.IPV6_LABELED_UNICAST ->
                out.i64(LoadPeer.SITE).i64(peer.nextHop());
            default -> out.u32(peer.nextHop());
        }
        return Bytes.of(out.toByteArray());
    }
}
