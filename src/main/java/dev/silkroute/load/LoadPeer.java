package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.open.AddPathMode;
import dev.silkroute.bgp.open.Capabilities;
import dev.silkroute.bgp.open.Capability;
import dev.silkroute.bgp.open.OpenEncoder;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.bmp.TlvType;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A peer of a router, or its Loc-RIB, which BMP presents as a peer (RFC 9069). Peers with the same number have the same
 * address at every router. Of every four peers the second is a route reflector in the router's own AS and the fourth
 * has an IPv6 session; of every eight the seventh has two-octet AS numbers. Immutable.
 */
record LoadPeer(LoadProfile profile, int router, int number, boolean locRib) {
    /** The upper half of IPv6 addresses of next hops and peers: fd00::/64. */
    static final long SITE = 0xFD00L << 48;

    private static final int ADDRESSES = 0x0A01_0000; // 10.1.0.0/16
    private static final int ROUTERS = 0x0A00_0000; // 10.0.0.0/16
    static final int ROUTER_ASN = NlriSeries.PROVIDER_ASN;

    private static final long FIRST_FOUR_OCTET_ASN = 4_200_000_000L;
    private static final int FIRST_TWO_OCTET_ASN = 64_512;
    private static final int HOLD_TIME = 180;
    private static final int BGP_PORT = 179;
    private static final int FLAG_V = 0x80;
    private static final int FLAG_L = 0x40;
    private static final int FLAG_A = 0x20;
    private static final int FLAG_O = 0x10;

    boolean ipv6() {
        return !locRib && number % 4 == 3;
    }

    /** Returns whether the peer is in the router's own AS. */
    boolean internal() {
        return !locRib && number % 4 == 1;
    }

    boolean fourOctetAs() {
        return locRib || number % 8 != 6;
    }

    /**
     * Returns the peer that a route was learned from: another peer for Adj-RIB-Out, any peer for the Loc-RIB.
     *
     * @param group the first slot of the routes that share their attributes
     */
    LoadPeer source(RibView view, int group) {
        return switch (view) {
            case LOC_RIB -> of(group % profile.peers());
            case ADJ_RIB_OUT_PRE_POLICY, ADJ_RIB_OUT_POST_POLICY -> of((number + 1) % profile.peers());
            default -> this;
        };
    }

    private LoadPeer of(int peer) {
        return new LoadPeer(profile, router, peer, false);
    }

    int routerId() {
        return ROUTERS + router + 1;
    }

    /** Returns the peer's BGP ID, which is also its IPv4 address or the last four bytes of its IPv6 address. */
    int nextHop() {
        return ADDRESSES + number + 1;
    }

    /** Returns the peer's AS number. */
    int upstreamAsn() {
        return internal() || locRib
                ? ROUTER_ASN
                : fourOctetAs() ? (int) (FIRST_FOUR_OCTET_ASN + number) : FIRST_TWO_OCTET_ASN + number % 1000;
    }

    String address() {
        return locRib ? "0.0.0.0" : ipv6() ? Addresses.ipv6(SITE, nextHop()) : Addresses.ipv4(nextHop());
    }

    PeerHeader header(RibView view) {
        if (locRib) {
            return new PeerHeader(PerPeerHeader.LOC_RIB_INSTANCE, 0, 0, 0, 0, ROUTER_ASN, routerId(), 0);
        }
        int flags = switch (view) {
            case ADJ_RIB_IN_POST_POLICY -> FLAG_L;
            case ADJ_RIB_OUT_PRE_POLICY -> FLAG_O;
            case ADJ_RIB_OUT_POST_POLICY -> FLAG_O | FLAG_L;
            default -> 0;
        };
        return new PeerHeader(
                PerPeerHeader.GLOBAL_INSTANCE,
                flags | (ipv6() ? FLAG_V : 0) | (fourOctetAs() ? 0 : FLAG_A),
                0,
                ipv6() ? SITE : 0,
                Integer.toUnsignedLong(nextHop()),
                upstreamAsn(),
                nextHop(),
                0);
    }

    /** Appends the Peer Up, one for all views of the peer. */
    void up(ByteSink out) {
        Bytes sent = open(ROUTER_ASN, routerId(), true);
        Bytes received = locRib ? sent : open(upstreamAsn(), nextHop(), fourOctetAs());
        List<Tlv> tlvs = locRib ? List.of(BmpEncoder.text(TlvType.PEER_UP_TABLE_NAME.code(), "global")) : List.of();
        BmpEncoder.peerUp(
                header(RibView.ADJ_RIB_IN_PRE_POLICY),
                ipv6() ? SITE : 0,
                locRib ? 0 : Integer.toUnsignedLong(routerId()),
                locRib ? 0 : BGP_PORT,
                locRib ? 0 : 1024 + number,
                sent,
                received,
                tlvs,
                out);
    }

    /**
     * Appends the Peer Down: reason 4, the remote system closed the session without a notification (RFC 7854, Section
     * 4.9), or reason 6 for a Loc-RIB, local system closed with TLVs (RFC 9069, Section 5.3).
     */
    void down(ByteSink out) {
        if (locRib) {
            ByteSink name = new ByteSink(16);
            BmpEncoder.append(List.of(BmpEncoder.text(TlvType.PEER_UP_TABLE_NAME.code(), "global")), name);
            BmpEncoder.peerDown(header(RibView.LOC_RIB), 6, Bytes.of(name.toByteArray()), out);
        } else {
            BmpEncoder.peerDown(header(RibView.ADJ_RIB_IN_PRE_POLICY), 4, Bytes.EMPTY, out);
        }
    }

    private Bytes open(int asn, int bgpId, boolean wide) {
        List<Capability> capabilities = new ArrayList<>();
        profile.families().forEach(family -> capabilities.add(Capabilities.multiprotocol(family)));
        capabilities.add(Capabilities.routeRefresh());
        if (wide) {
            capabilities.add(Capabilities.fourOctetAs(asn));
        }
        if (ipv6() && profile.families().contains(Family.IPV4_UNICAST)) {
            capabilities.add(Capabilities.extendedNextHop(List.of(Family.IPV4_UNICAST)));
        }
        if (profile.addPath()) {
            Map<Integer, AddPathMode> modes = new LinkedHashMap<>();
            profile.families().forEach(family -> modes.put(family, AddPathMode.BOTH));
            capabilities.add(Capabilities.addPath(modes));
        }
        ByteSink out = new ByteSink();
        OpenEncoder.write(asn, HOLD_TIME, bgpId, capabilities, out);
        return Bytes.of(out.toByteArray());
    }
}
