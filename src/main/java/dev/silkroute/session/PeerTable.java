package dev.silkroute.session;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The peers of one session. A peer is found by (peer type, distinguisher, address); several may share that and differ by
 * BGP ID or AS only, and stay apart.
 */
final class PeerTable {
    /** Peers that differ by BGP ID or AS only: a router has two of them for a moment, and they are searched one by one. */
    private static final int MAX_SAME = 64;

    private final int maxPeers;
    private final AddPathPolicy policy;
    private final Map<PeerKey, List<MonitoredPeer>> peers = new HashMap<>();
    private int size;

    /** Peers lately seen, by a hash of their identity; power-of-two length. Messages of a router's peers come mixed. */
    private final @Nullable MonitoredPeer[] recent = new MonitoredPeer[64];

    PeerTable(int maxPeers, AddPathPolicy policy) {
        this.maxPeers = maxPeers;
        this.policy = policy;
    }

    /**
     * The peer of a header, which joins the table when it is new: routes before Peer Up are decoded too.
     *
     * @param message absolute offset of the message
     * @param nowMicros when it was received, microseconds since 1970
     * @throws DecodeException when the table is full
     */
    MonitoredPeer of(PerPeerHeader header, int message, long nowMicros) {
        int slot = slot(header);
        MonitoredPeer hit = recent[slot];
        if (hit != null && hit.is(header)) {
            return hit;
        }
        MonitoredPeer found = find(header);
        if (found == null) {
            found = add(header, message, nowMicros);
        }
        recent[slot] = found;
        return found;
    }

    private static int slot(PerPeerHeader header) {
        long mixed = (header.addressLow() ^ header.addressHigh() ^ header.distinguisher()) + header.bgpId();
        return (int) (mixed * 0x9E3779B97F4A7C15L >>> 58);
    }

    /** The peer of a header; null if the session has none such. */
    @Nullable
    MonitoredPeer find(PerPeerHeader header) {
        List<MonitoredPeer> same = peers.get(PeerKey.of(header));
        if (same == null) {
            return null;
        }
        for (MonitoredPeer peer : same) {
            if (peer.is(header)) {
                return peer;
            }
        }
        return header.bgpId() == 0 && same.size() == 1 ? same.getFirst() : null;
    }

    private MonitoredPeer add(PerPeerHeader header, int message, long nowMicros) {
        int at = message + BmpMessages.COMMON_HEADER_LENGTH;
        if (size >= maxPeers) {
            throw new DecodeException(
                    "the session has its limit of " + maxPeers + " peers", at, "RFC 7854, Section 4.2");
        }
        List<MonitoredPeer> same = peers.get(PeerKey.of(header));
        if (same != null && same.size() >= MAX_SAME) {
            throw new DecodeException(
                    "there are " + MAX_SAME + " peers of this address already", at, "RFC 7854, Section 4.2");
        }
        MonitoredPeer peer = new MonitoredPeer(PeerKey.of(header), header, policy, nowMicros);
        peers.computeIfAbsent(peer.key(), key -> new ArrayList<>(1)).add(peer);
        size++;
        return peer;
    }

    /**
     * The peers that a Peer Down speaks of: the one it names exactly, else, where it names no BGP ID or there is only one
     * candidate, all with the same type, distinguisher and address. None for a peer that never came up; none is made.
     */
    List<MonitoredPeer> endedBy(PerPeerHeader header) {
        List<MonitoredPeer> same = peers.get(PeerKey.of(header));
        if (same == null) {
            return List.of();
        }
        for (MonitoredPeer peer : same) {
            if (peer.is(header)) {
                return List.of(peer);
            }
        }
        return header.bgpId() == 0 || same.size() == 1 ? List.copyOf(same) : List.of();
    }

    void forEach(Consumer<MonitoredPeer> visitor) {
        peers.values().forEach(same -> same.forEach(visitor));
    }

    void remove(MonitoredPeer peer) {
        List<MonitoredPeer> same = peers.get(peer.key());
        if (same != null && same.remove(peer)) {
            size--;
            if (same.isEmpty()) {
                peers.remove(peer.key());
            }
        }
        Arrays.fill(recent, null);
    }
}
