package dev.silkroute.session;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bmp.BmpFault;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The peers of one session, found by peer type, distinguisher and address. Peers that share these and differ only in
 * their BGP identifier or AS are kept apart. Not thread-safe.
 */
final class PeerTable {
    /**
     * Maximum peers with one key. A router has two for a moment, when a peer changes its identifier; they are searched
     * linearly.
     */
    private static final int MAX_SAME_KEY = 64;

    private final int maxPeers;
    private final AddPathPolicy policy;
    private final Map<PeerKey, List<MonitoredPeer>> peers = new HashMap<>();
    private int size;

    /**
     * Recently used peers by a hash of their identity, since messages of different peers alternate. The length is a
     * power of two.
     */
    private final @Nullable MonitoredPeer[] recent = new MonitoredPeer[64];

    PeerTable(int maxPeers, AddPathPolicy policy) {
        this.maxPeers = maxPeers;
        this.policy = policy;
    }

    /**
     * Returns the peer of a header. A new peer is added: routes before its Peer Up are decoded too.
     *
     * @param message absolute offset of the message
     * @param nowMicros when it was received, microseconds by a monotonic clock
     * @throws DecodeException if the table is full
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

    /** Returns the peer of a header, null if the session does not have it. */
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
            throw BmpFault.TOO_MANY_PEERS.at(at, maxPeers);
        }
        List<MonitoredPeer> same = peers.get(PeerKey.of(header));
        if (same != null && same.size() >= MAX_SAME_KEY) {
            throw BmpFault.TOO_MANY_PEERS_WITH_ADDRESS.at(at, MAX_SAME_KEY);
        }
        MonitoredPeer peer = new MonitoredPeer(PeerKey.of(header), header, policy, nowMicros);
        peers.computeIfAbsent(peer.key(), key -> new ArrayList<>(1)).add(peer);
        size++;
        return peer;
    }

    /**
     * Returns the peers that a Peer Down ends: the one with exactly the header's identity, else all with the same type,
     * distinguisher and address if the header has no BGP identifier or there is only one of them. Empty if the peer is
     * unknown; none is added.
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

    /** Returns all peers, in no particular order. Not for hot paths. */
    List<MonitoredPeer> all() {
        List<MonitoredPeer> all = new ArrayList<>(size);
        peers.values().forEach(all::addAll);
        return all;
    }

    /** Returns how much of the tables of all peers that are up has been received. */
    DumpState dumpState() {
        boolean isAnyComplete = false;
        boolean isAnyNotBegun = false;
        for (List<MonitoredPeer> same : peers.values()) {
            for (MonitoredPeer peer : same) {
                switch (peer.dumpState()) {
                    case NOT_BEGUN -> isAnyNotBegun = true;
                    case IN_PROGRESS -> {
                        return DumpState.IN_PROGRESS;
                    }
                    case COMPLETE -> isAnyComplete |= peer.isUp();
                }
                if (isAnyComplete && isAnyNotBegun) {
                    return DumpState.IN_PROGRESS;
                }
            }
        }
        return isAnyComplete ? DumpState.COMPLETE : DumpState.NOT_BEGUN;
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
