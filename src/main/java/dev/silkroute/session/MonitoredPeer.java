package dev.silkroute.session;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.route.PeerEntry;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A peer of the monitored router, as this session knows it: identity, views that came up, and how to decode its UPDATEs. */
final class MonitoredPeer {
    private final PeerKey key;
    private final int bgpId;
    private final int asn;
    private final Set<RibView> upViews = EnumSet.noneOf(RibView.class);
    private final @Nullable PeerEntry[] entries = new PeerEntry[RibView.values().length];
    private final int[] batchIndexes = new int[entries.length];
    private final long[] batchOfIndex = new long[entries.length];

    private @Nullable SessionCapabilities capabilities;
    private UpdateContext context = UpdateContext.withoutPeerUp(false);
    private @Nullable RibView contextView;
    private boolean contextLegacy;

    MonitoredPeer(PeerKey key, PerPeerHeader header) {
        this.key = key;
        bgpId = header.bgpId();
        asn = header.asn();
    }

    PeerKey key() {
        return key;
    }

    int bgpId() {
        return bgpId;
    }

    int asn() {
        return asn;
    }

    boolean isUp() {
        return !upViews.isEmpty();
    }

    /** Whether it is described by the identity in a header, BGP ID and AS included. */
    boolean is(PerPeerHeader header) {
        return bgpId == header.bgpId() && asn == header.asn() && key.matches(header);
    }

    void up(RibView view, SessionCapabilities agreed) {
        upViews.add(view);
        capabilities = agreed;
        contextView = null;
    }

    /**
     * Whether a Peer Down that names {@code view} ends that view only: so where the router sent one Peer Up per view
     * (Huawei). Routers that send one for all views (GoBGP, FRR, BIRD) end them all with one Peer Down, whatever flags it
     * bears (Cisco).
     */
    boolean endsOneViewOnly(RibView view) {
        return upViews.size() > 1 && upViews.contains(view);
    }

    void down(RibView view) {
        upViews.remove(view);
    }

    /** How to decode its UPDATEs; before a Peer Up only the A flag is there to go by. */
    UpdateContext context(PerPeerHeader header) {
        boolean legacy = header.legacyAsPath();
        if (contextView != header.view() || contextLegacy != legacy) {
            contextView = header.view();
            contextLegacy = legacy;
            context = capabilities == null
                    ? UpdateContext.withoutPeerUp(legacy)
                    : capabilities.contextFor(header.view().adjRibOut(), legacy);
        }
        return context;
    }

    PeerEntry entry(RibView view) {
        PeerEntry entry = entries[view.code()];
        if (entry == null) {
            entry = new PeerEntry(
                    key.peerType(),
                    key.distinguisher(),
                    key.ipv6(),
                    key.addressHigh(),
                    key.addressLow(),
                    asn,
                    bgpId,
                    view);
            entries[view.code()] = entry;
        }
        return entry;
    }

    /** The peer's index in the peer table of batch number {@code batch}, -1 if it isn't there yet. */
    int indexIn(long batch, RibView view) {
        return batchOfIndex[view.code()] == batch ? batchIndexes[view.code()] : -1;
    }

    void indexIn(long batch, RibView view, int index) {
        batchOfIndex[view.code()] = batch;
        batchIndexes[view.code()] = index;
    }
}
