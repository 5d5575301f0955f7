package dev.silkroute.session;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatchBuilder;
import org.jspecify.annotations.Nullable;

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
    private @Nullable Records records;
    private long batchNumber;

    RouteMonitoringDecoder(RouteBatchBuilder batch, PeerTable peers) {
        this.batch = batch;
        this.peers = peers;
    }

    /** The builder was begun for another batch. */
    void begin(DecodedBatch into, Records recordsOfBatch) {
        decoded = into;
        records = recordsOfBatch;
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
        MonitoredPeer peer = peers.of(header, from);
        UpdateContext context = peer.context(header);
        try {
            update.decode(bytes, pdu, to, context);
            countOutcomes();
        } finally {
            tell(header, peer, context, sequence);
        }
        int index = index(peer, header.view());
        if (update.endOfRib()) {
            batch.event(
                    EventKind.END_OF_RIB, index, update.endOfRibFamily(), false, sequence, header.routerTimeMicros());
        } else {
            sections(index, bytes, sequence, header.routerTimeMicros());
        }
    }

    private void countOutcomes() {
        for (Outcome outcome : update.outcomes()) {
            decoded.countOutcome(outcome.kind());
        }
        Outcome.Kind departure = update.departure();
        if (departure != null) {
            decoded.countOutcome(departure);
        }
    }

    /** What the message has shown of its peer, whether it could be decoded or not. */
    private void tell(PerPeerHeader header, MonitoredPeer peer, UpdateContext context, long sequence) {
        if (context.takeNews() && records != null) {
            decoded.add(Lane.PEERS, records.decodeMismatch(header, context, sequence));
        }
        if (peer.takeUnannounced(header.view()) && records != null) {
            decoded.add(Lane.PEERS, records.unannounced(header, sequence));
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
