package dev.silkroute.session;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatchBuilder;

/**
 * Route Monitoring (RFC 7854, Section 4.6): one UPDATE's sections into the batch, in the order that RFC 4271 gives them a
 * meaning: withdrawals first. The hot path: nothing is allocated per message.
 */
final class RouteMonitoringDecoder {
    private final RouteBatchBuilder batch;
    private final PeerTable peers;
    private final UpdateDecoder update = new UpdateDecoder();
    private final ByteSink canonical = new ByteSink();

    private DecodedBatch decoded = new DecodedBatch();
    private long batchNumber;

    RouteMonitoringDecoder(RouteBatchBuilder batch, PeerTable peers) {
        this.batch = batch;
        this.peers = peers;
    }

    /** The builder was begun for another batch. */
    void begin(DecodedBatch into) {
        decoded = into;
        batchNumber++;
    }

    void event(EventKind kind, MonitoredPeer peer, RibView view, boolean allViews, long sequence, long routerTime) {
        batch.event(kind, index(peer, view), 0, allViews, sequence, routerTime);
    }

    private int index(MonitoredPeer peer, RibView view) {
        int index = peer.indexIn(batchNumber, view);
        if (index < 0) {
            index = batch.peer(peer.entry(view));
            peer.indexIn(batchNumber, view, index);
        }
        return index;
    }

    void decode(PerPeerHeader header, byte[] bytes, int from, int to, long sequence) {
        int pdu = from + BmpMessages.PEER_BODY;
        MonitoredPeer peer = peers.of(header);
        update.decode(bytes, pdu, to, peer.context(header));
        for (Outcome outcome : update.outcomes()) {
            decoded.countOutcome(outcome.kind());
        }
        int index = index(peer, header.view());
        if (update.endOfRib()) {
            batch.event(
                    EventKind.END_OF_RIB, index, update.endOfRibFamily(), false, sequence, header.routerTimeMicros());
        } else {
            sections(index, bytes, sequence, header.routerTimeMicros());
        }
    }

    private void sections(int peer, byte[] bytes, long sequence, long routerTime) {
        long at = sequence;
        for (int i = 0; i < update.sections(); i++) {
            int set = -1;
            if (update.announces(i)) {
                canonical.reset();
                update.writeAttributes(i, canonical);
                set = batch.attributeSet(canonical.array(), 0, canonical.position());
            }
            batch.routes(
                    set < 0 ? EventKind.WITHDRAW : EventKind.ANNOUNCE,
                    peer,
                    update.family(i),
                    update.addPath(i),
                    update.announcedForm(i),
                    false,
                    set,
                    at,
                    routerTime,
                    update.count(i),
                    bytes,
                    update.from(i),
                    update.to(i));
            at += update.count(i);
        }
    }
}
