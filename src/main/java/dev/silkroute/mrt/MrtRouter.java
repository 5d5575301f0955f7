package dev.silkroute.mrt;

import dev.silkroute.bgp.open.OpenEncoder;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A collector as a monitored router: its peers, and the BMP messages that it says next. */
final class MrtRouter {
    /** What a collector is called whose own AS number the file does not tell: AS_TRANS. */
    private static final int UNKNOWN_ASN = 23_456;

    private static final int HOLD_TIME = 180;
    private static final int REASON_LOCAL_NOTIFICATION = 1;
    private static final int REASON_LOCAL_EVENT = 2;
    private static final int REASON_REMOTE_NOTIFICATION = 3;
    private static final Bytes NO_EVENT = Bytes.of(new byte[2]);

    final int index;
    final String name;
    final int bgpId;
    final long begin;
    final long startMicros;

    /** To be taken, and reset, by whoever plays the file. */
    final ByteSink out = new ByteSink();

    private int whole;
    private long messages;
    private final Map<MrtPeer.Key, MrtPeer> peers = new HashMap<>();

    MrtRouter(int index, String name, int bgpId, long begin, long startMicros, String file) {
        this.index = index;
        this.name = name;
        this.bgpId = bgpId == 0 ? name.hashCode() | 1 : bgpId;
        this.begin = begin;
        this.startMicros = startMicros;
        BmpEncoder.initiation(name, "MRT file " + file, out);
        messageEnded();
    }

    /** What is in {@link #out} is whole messages now. */
    void messageEnded() {
        messages++;
        whole = out.position();
    }

    /** How much of {@link #out} is whole messages. */
    int whole() {
        return whole;
    }

    /** All messages of it so far. */
    long messages() {
        return messages;
    }

    /** What was said is taken. */
    void reset() {
        out.reset();
        whole = 0;
    }

    /** GoBGP gives no BGP ID: then the file names the router. */
    static String name(int bgpId, String view, String file) {
        return "mrt-" + (bgpId == 0 ? file : Addresses.ipv4(bgpId)) + (view.isBlank() ? "" : "-" + view.strip());
    }

    static String name(int asn, boolean ipv6, long high, long low) {
        return "mrt-as" + Integer.toUnsignedString(asn) + "-" + Addresses.text(ipv6, high, low);
    }

    /** The peer of that address and AS number, whatever its BGP ID; a new one where there is none. */
    MrtPeer peer(MrtPeer.Key key) {
        return peers.computeIfAbsent(key, unknown -> new MrtPeer(unknown, MrtPeer.madeUpId(unknown)));
    }

    /**
     * The peer of that BGP ID too; it is now the one that is meant where the ID is not told.
     *
     * @param others peers that it is not
     */
    MrtPeer peer(MrtPeer.Key key, int peerId, Set<MrtPeer> others) {
        MrtPeer known = peers.get(key);
        if (known != null && !others.contains(known) && (known.agreement == null || known.bgpId == peerId)) {
            known.bgpId = peerId;
            return known;
        }
        MrtPeer peer = new MrtPeer(key, peerId);
        peers.put(key, peer);
        return peer;
    }

    int peers() {
        return peers.size();
    }

    void peerUp(MrtPeer peer, Agreement agreement, long timeMicros) {
        int localAsn = peer.localAsn == 0 ? UNKNOWN_ASN : peer.localAsn;
        BmpEncoder.peerUp(
                peer.header(0, timeMicros),
                peer.localHigh,
                peer.localLow,
                0,
                0,
                open(localAsn, bgpId, agreement, true),
                open(peer.key.asn(), peer.bgpId, agreement, false),
                List.of(),
                out);
        messageEnded();
    }

    /** Says a Peer Up as long as that of any peer with this agreement. */
    void countPeerUp(Agreement agreement) {
        peerUp(new MrtPeer(new MrtPeer.Key(false, 0, 0, 0), 0), agreement, 0);
    }

    private static Bytes open(int asn, int id, Agreement agreement, boolean router) {
        ByteSink open = new ByteSink(128);
        OpenEncoder.write(asn, HOLD_TIME, id, agreement.capabilities(router, asn), open);
        return Bytes.of(open.toByteArray());
    }

    /** With the NOTIFICATION if the file has one; else by a local event that it does not name. */
    void peerDown(MrtPeer peer, long timeMicros) {
        Bytes data = peer.notification;
        int reason = data == null
                ? REASON_LOCAL_EVENT
                : peer.notificationSent ? REASON_LOCAL_NOTIFICATION : REASON_REMOTE_NOTIFICATION;
        BmpEncoder.peerDown(peer.header(0, timeMicros), reason, data == null ? NO_EVENT : data, out);
        messageEnded();
    }
}
