package dev.silkroute.session;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.bmp.RouteMonitoring;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatchBuilder;
import dev.silkroute.route.RouteGroupBuilder;

/**
 * Decodes Route Monitoring messages (RFC 7854, Section 4.6): appends the sections of each UPDATE to the batch as groups
 * of events, withdrawals first, as RFC 4271, Section 3.1 requires them to be processed.
 *
 * <p>This is the hot path: it allocates nothing per message except the hash of each attribute set. Not thread-safe.
 */
final class RouteMonitoringDecoder {
    private final RouteBatchBuilder batch;
    private final PeerTable peers;
    private final RecordWriter records;
    private final RouteMonitoring message = new RouteMonitoring();
    private final UpdateDecoder update = new UpdateDecoder();
    private final MarkedRoutes marked = new MarkedRoutes(update);

    private DecodedBatch decoded = DecodedBatch.NONE;
    private long batchNumber;
    private long nowMicros;

    RouteMonitoringDecoder(RouteBatchBuilder batch, PeerTable peers, RecordWriter records) {
        this.batch = batch;
        this.peers = peers;
        this.records = records;
    }

    /** Begins another batch; the builder must have been begun before. */
    void begin(DecodedBatch into, long elapsedMicros) {
        decoded = into;
        batchNumber++;
        marked.begin();
        nowMicros = elapsedMicros;
    }

    void event(EventKind kind, MonitoredPeer peer, RibView view, boolean allViews, long sequence, long routerTime) {
        batch.event(kind, index(peer, view), 0, allViews, sequence, routerTime);
    }

    /** Appends a synthetic End-of-RIB. @param family the table's, 0 for all tables of the peer */
    void endOfRib(MonitoredPeer peer, RibView view, int family, long sequence) {
        batch.event(EventKind.END_OF_RIB, index(peer, view), family, family == 0, true, sequence, 0);
    }

    private int index(MonitoredPeer peer, RibView view) {
        int index = peer.indexIn(batchNumber, view);
        if (index < 0) {
            index = batch.peer(peer.entry(view), peer.neighborRole(view));
            peer.indexIn(batchNumber, view, index);
        }
        return index;
    }

    void decode(PerPeerHeader header, byte[] bytes, int from, int to, long sequence) {
        message.read(bytes, from, to);
        MonitoredPeer peer = peers.of(header, from, nowMicros);
        if (!peer.isUp()) {
            decoded.count(Anomaly.ROUTES_WITHOUT_PEER_UP);
        }
        decoded.count(Anomaly.UNKNOWN_TLV, message.unknown());
        decoded.count(Anomaly.IGNORED_TLV, message.invalid());
        UpdateContext context = peer.context(header);
        try {
            update.decode(bytes, message.updateFrom(), message.updateTo(), ofMessage(context, header.view()));
            countOutcomes();
        } finally {
            reportPeer(header, peer, context, sequence);
        }
        int index = index(peer, header.view());
        if (update.endOfRib()) {
            peer.table(header.view(), update.endOfRibFamily(), nowMicros).complete();
            batch.event(
                    EventKind.END_OF_RIB, index, update.endOfRibFamily(), false, sequence, header.routerTimeMicros());
        } else if (message.marked()) {
            markedSections(peer, header.view(), index, bytes, sequence, header.routerTimeMicros());
        } else {
            sections(peer, header.view(), index, bytes, sequence, header.routerTimeMicros());
        }
    }

    /**
     * Returns the context of one message: its Stateless Parsing TLVs, if it has any, take precedence over the Peer Up
     * (draft-ietf-grow-bmp-tlv, Section 5.2.3). Such a message does not affect the context of the peer.
     */
    private UpdateContext ofMessage(UpdateContext ofPeer, RibView view) {
        if (!message.stateless()) {
            return ofPeer;
        }
        boolean fourOctetAs = ofPeer.fourOctetAs() || message.statesFourOctetAs();
        if (message.statesAddPath()) {
            return UpdateContext.strict(fourOctetAs, message.addPath(view));
        }
        ofPeer.expectFourOctetAs(fourOctetAs);
        return ofPeer;
    }

    /**
     * Appends the sections of an UPDATE with path markings: one group of events for each run of equally marked routes.
     */
    private void markedSections(
            MonitoredPeer of, RibView view, int peer, byte[] bytes, long sequence, long routerTime) {
        long at = sequence;
        marked.read(message, bytes);
        for (int i = 0; i < update.sections(); i++) {
            int set = attributeSet(of, view, i);
            marked.enter(i);
            while (marked.next()) {
                RouteGroupBuilder routes = group(i, peer, at, routerTime).marking(marked.marking());
                add(routes, set, marked.count(), bytes, marked.from(), marked.to());
                at += marked.count();
            }
        }
        decoded.count(Anomaly.IGNORED_TLV, marked.ignored());
    }

    private int attributeSet(MonitoredPeer peer, RibView view, int section) {
        if (!update.announces(section)) {
            return -1;
        }
        TableDump table = peer.table(view, update.family(section), nowMicros);
        table.announced(nowMicros);
        batch.tableDump(table.isOpen());
        update.writeAttributes(section, batch.attributes());
        return batch.attributeSet();
    }

    private void countOutcomes() {
        for (DecodeOutcome outcome : update.outcomes()) {
            decoded.countOutcome(outcome.kind());
        }
        DecodeOutcome.Kind departure = update.departure();
        if (departure != null) {
            decoded.countOutcome(departure);
        }
    }

    /** Reports what the message has revealed about its peer, whether or not it could be decoded. */
    private void reportPeer(PerPeerHeader header, MonitoredPeer peer, UpdateContext context, long sequence) {
        if (context.takeNews()) {
            decoded.add(LaneName.PEERS, records.decodeMismatch(header, context, sequence));
        }
        if (peer.takeUnannounced(header.view())) {
            decoded.add(LaneName.PEERS, records.unannounced(header, sequence));
        }
    }

    private void sections(MonitoredPeer of, RibView view, int peer, byte[] bytes, long sequence, long routerTime) {
        long at = sequence;
        for (int i = 0; i < update.sections(); i++) {
            int set = attributeSet(of, view, i);
            RouteGroupBuilder routes = group(i, peer, at, routerTime);
            add(routes, set, update.count(i), bytes, update.from(i), update.to(i));
            at += update.count(i);
        }
    }

    private RouteGroupBuilder group(int section, int peer, long sequence, long routerTime) {
        return batch.group(peer, update.family(section))
                .pathIds(update.addPath(section))
                .announcedForm(update.announcedForm(section))
                .at(sequence, routerTime);
    }

    /** @param set -1 for withdrawals */
    private static void add(RouteGroupBuilder routes, int set, int count, byte[] bytes, int from, int to) {
        if (set < 0) {
            routes.withdraw(count, bytes, from, to);
        } else {
            routes.announce(set, count, bytes, from, to);
        }
    }
}
