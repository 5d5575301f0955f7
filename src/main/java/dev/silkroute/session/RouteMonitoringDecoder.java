package dev.silkroute.session;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.bmp.RouteMonitoring;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatchBuilder;
import dev.silkroute.route.RouteGroupBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Route Monitoring (RFC 7854, Section 4.6): one UPDATE's sections into the batch, in the order that RFC 4271 gives them a
 * meaning: withdrawals first. The hot path: nothing is allocated for a message but the hash of each attribute set.
 */
final class RouteMonitoringDecoder {
    private final RouteBatchBuilder batch;
    private final PeerTable peers;
    private final RouteMonitoring message = new RouteMonitoring();
    private final UpdateDecoder update = new UpdateDecoder();
    private final MarkedRoutes marked = new MarkedRoutes(update);

    private DecodedBatch decoded = new DecodedBatch();
    private @Nullable Records records;
    private long batchNumber;
    private long nowMicros;

    RouteMonitoringDecoder(RouteBatchBuilder batch, PeerTable peers) {
        this.batch = batch;
        this.peers = peers;
    }

    /** The builder was begun for another batch. */
    void begin(DecodedBatch into, Records recordsOfBatch, long receivedMicros) {
        decoded = into;
        records = recordsOfBatch;
        batchNumber++;
        marked.begin();
        nowMicros = receivedMicros;
    }

    void event(EventKind kind, MonitoredPeer peer, RibView view, boolean allViews, long sequence, long routerTime) {
        batch.event(kind, index(peer, view), 0, allViews, sequence, routerTime);
    }

    /** An End-of-RIB that the router didn't send: of a table, or of all of the peer's where the family is 0. */
    void endOfRib(MonitoredPeer peer, RibView view, int family, long sequence) {
        batch.event(EventKind.END_OF_RIB, index(peer, view), family, family == 0, true, sequence, 0);
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
        message.read(bytes, from, to);
        MonitoredPeer peer = peers.of(header, from, nowMicros);
        if (!peer.isUp()) {
            decoded.count(Anomaly.ROUTES_WITHOUT_PEER_UP);
        }
        decoded.count(Anomaly.UNKNOWN_TLV, message.unknown());
        decoded.count(Anomaly.IGNORED_TLV, message.misshapen());
        UpdateContext context = peer.context(header);
        try {
            update.decode(bytes, message.updateFrom(), message.updateTo(), ofMessage(context, header.view()));
            countOutcomes();
        } finally {
            tell(header, peer, context, sequence);
        }
        int index = index(peer, header.view());
        if (update.endOfRib()) {
            peer.table(header.view(), update.endOfRibFamily(), nowMicros).end();
            batch.event(
                    EventKind.END_OF_RIB, index, update.endOfRibFamily(), false, sequence, header.routerTimeMicros());
        } else if (message.marked()) {
            markedSections(peer, header.view(), index, bytes, sequence, header.routerTimeMicros());
        } else {
            sections(peer, header.view(), index, bytes, sequence, header.routerTimeMicros());
        }
    }

    /**
     * The message's own word on how it is encoded, if it has one, goes before what the Peer Up said (draft-ietf-grow-bmp-tlv, Section 5.2.3).
     * Of the peer nothing is learnt from it then.
     */
    private UpdateContext ofMessage(UpdateContext ofPeer, RibView view) {
        if (!message.stateless()) {
            return ofPeer;
        }
        boolean fourOctetAs = ofPeer.fourOctetAs() || message.saysFourOctetAs();
        if (message.saysAddPath()) {
            return UpdateContext.strict(fourOctetAs, message.addPath(view));
        }
        ofPeer.expectFourOctetAs(fourOctetAs);
        return ofPeer;
    }

    /** The same as {@link #sections}, with a group of events for each run of equally marked routes. */
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
        table.route(nowMicros);
        batch.tableDump(table.isOpen());
        update.writeAttributes(section, batch.attributes());
        return batch.attributeSet();
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
            decoded.add(LaneName.PEERS, records.decodeMismatch(header, context, sequence));
        }
        if (peer.takeUnannounced(header.view()) && records != null) {
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
