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

/**
 * A collector presented as a monitored router: its peers, and the BMP messages generated for it that were not consumed
 * yet. Not thread-safe.
 */
final class MrtRouter {
    /** The AS number of a collector whose own one the file does not contain: AS_TRANS. */
    private static final int UNKNOWN_ASN = 23_456;

    private static final int HOLD_TIME = 180;

    // Peer Down reasons (RFC 7854, Section 4.9).
    private static final int REASON_LOCAL_NOTIFICATION = 1;
    private static final int REASON_LOCAL_EVENT = 2;
    private static final int REASON_REMOTE_NOTIFICATION = 3;

    private static final Bytes NO_EVENT = Bytes.of(new byte[2]);

    private final int index;
    private final String name;
    private final int bgpId;
    private final long begin;
    private final long startMicros;
    private final ByteSink out = new ByteSink();
    private final Map<MrtPeer.Key, MrtPeer> peers = new HashMap<>();
    private int completeBytes;
    private long messages;

    /**
     * @param begin the file offset of the first record
     * @param startMicros the time of the first record, microseconds since 1970
     */
    MrtRouter(int index, String name, int bgpId, long begin, long startMicros, String file) {
        this.index = index;
        this.name = name;
        this.bgpId = bgpId == 0 ? name.hashCode() | 1 : bgpId;
        this.begin = begin;
        this.startMicros = startMicros;
        BmpEncoder.initiation(name, "MRT file " + file, out);
        messageCompleted();
    }

    int index() {
        return index;
    }

    String name() {
        return name;
    }

    long begin() {
        return begin;
    }

    long startMicros() {
        return startMicros;
    }

    /** Returns the sink for messages; {@link #messageCompleted} must follow each. */
    ByteSink out() {
        return out;
    }

    void messageCompleted() {
        messages++;
        completeBytes = out.position();
    }

    /**
     * Returns the number of bytes of complete messages in {@link #out}. A failed record may leave a partial message
     * after them.
     */
    int completeBytes() {
        return completeBytes;
    }

    /** Returns the number of messages generated so far. */
    long messages() {
        return messages;
    }

    /** Discards the generated messages after they were consumed. */
    void reset() {
        out.reset();
        completeBytes = 0;
    }

    /** Returns the name of the collector of a table. GoBGP writes no BGP ID; then the file name replaces it. */
    static String name(int bgpId, String view, String file) {
        return "mrt-" + (bgpId == 0 ? file : Addresses.ipv4(bgpId)) + (view.isBlank() ? "" : "-" + view.strip());
    }

    /** Returns the name of a collector that is known from messages only. */
    static String name(int asn, boolean isIpv6, long high, long low) {
        return "mrt-as" + Integer.toUnsignedString(asn) + "-" + Addresses.text(isIpv6, high, low);
    }

    /** Returns the peer with the key, whatever its BGP ID; creates it if absent. */
    MrtPeer peer(MrtPeer.Key key) {
        return peers.computeIfAbsent(key, absent -> new MrtPeer(absent, MrtPeer.derivedBgpId(absent)));
    }

    /**
     * Returns the peer with the key and BGP ID; creates it if absent. From now on {@link #peer(MrtPeer.Key)} returns
     * this peer.
     *
     * @param excluded other peers of the same table, which may have the same key
     */
    MrtPeer peer(MrtPeer.Key key, int peerBgpId, Set<MrtPeer> excluded) {
        MrtPeer known = peers.get(key);
        if (known != null && !excluded.contains(known) && (!known.isUp() || known.bgpId() == peerBgpId)) {
            known.setBgpId(peerBgpId);
            return known;
        }
        MrtPeer peer = new MrtPeer(key, peerBgpId);
        peers.put(key, peer);
        return peer;
    }

    /** Returns the number of peers. */
    int peers() {
        return peers.size();
    }

    void peerUp(MrtPeer peer, SessionCapabilities session, long timeMicros) {
        MrtPeer.LocalEnd local = peer.localEnd();
        int localAsn = local.asn() == 0 ? UNKNOWN_ASN : local.asn();
        BmpEncoder.peerUp(
                peer.header(0, timeMicros),
                local.high(),
                local.low(),
                0,
                0,
                open(localAsn, bgpId, session, true),
                open(peer.key().asn(), peer.bgpId(), session, false),
                List.of(),
                out);
        messageCompleted();
    }

    /** Generates a Peer Up of the same length as that of any peer with these capabilities. */
    void peerUpOfSameLength(SessionCapabilities session) {
        peerUp(new MrtPeer(new MrtPeer.Key(false, 0, 0, 0), 0), session, 0);
    }

    private static Bytes open(int asn, int id, SessionCapabilities session, boolean isRouter) {
        ByteSink open = new ByteSink(128);
        OpenEncoder.write(asn, HOLD_TIME, id, session.capabilities(isRouter, asn), open);
        return Bytes.of(open.toByteArray());
    }

    /** Generates a Peer Down with the NOTIFICATION of the file, or else with an unspecified local event. */
    void peerDown(MrtPeer peer, long timeMicros) {
        MrtPeer.Notification notification = peer.notification();
        if (notification == null) {
            BmpEncoder.peerDown(peer.header(0, timeMicros), REASON_LOCAL_EVENT, NO_EVENT, out);
        } else {
            int reason = notification.isSent() ? REASON_LOCAL_NOTIFICATION : REASON_REMOTE_NOTIFICATION;
            BmpEncoder.peerDown(peer.header(0, timeMicros), reason, notification.message(), out);
        }
        messageCompleted();
    }
}
