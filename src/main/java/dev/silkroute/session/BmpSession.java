package dev.silkroute.session;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.InformationTlvs;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerDown;
import dev.silkroute.bmp.PeerUp;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.bmp.RouteMirroring;
import dev.silkroute.bmp.StatisticsReport;
import dev.silkroute.net.DecodeException;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatchBuilder;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One BMP session, from its connection to its end: takes the messages of each socket read in their order and says what
 * they mean, lane by lane.
 *
 * <p>Not thread-safe, but may move between threads from batch to batch. {@link #router()} may be asked at any time by any
 * thread.
 */
public final class BmpSession {
    private final SessionConfig config;
    private final long id;
    private final InetAddress address;
    private final RouterIdentity identity;
    private final PeerTable peers;
    private final RouteBatchBuilder batch = new RouteBatchBuilder();
    private final RouteMonitoringDecoder routes;
    private final PerPeerHeader header = new PerPeerHeader();

    private volatile String router;
    private volatile long messages;
    private boolean announced;
    private long receivedAtMicros;
    private DecodedBatch decoded = new DecodedBatch();
    private Records records;

    /**
     * @param id unique among the station's sessions and growing with time
     * @param address source address of the connection
     */
    public BmpSession(SessionConfig config, long id, InetAddress address) {
        this.config = config;
        this.id = id;
        this.address = address;
        identity = new RouterIdentity(address, config.names());
        router = identity.text();
        peers = new PeerTable(config.maxPeers(), config.addPath(address));
        routes = new RouteMonitoringDecoder(batch, peers);
        records = new Records(config.collector(), router, address, id, 0);
    }

    public long id() {
        return id;
    }

    public String collector() {
        return config.collector();
    }

    public InetAddress address() {
        return address;
    }

    /** The router's identity; the source address until a message has decided it. */
    public String router() {
        return router;
    }

    /** Messages decoded so far. */
    public long messages() {
        return messages;
    }

    /** Lets the router be named by these whole messages before anything else is done with them. */
    public void identify(byte[] bytes) {
        for (int at = 0; at < bytes.length && !identity.isDecided(); at += BmpMessages.length(bytes, at)) {
            identity.offer(bytes, at, at + BmpMessages.length(bytes, at));
        }
        router = identity.text();
    }

    /**
     * Decodes whole messages, framed before.
     *
     * @param firstMessage number of the first one within the session
     * @param receivedMicros when they were read, microseconds since 1970
     * @param end why the session ends after them, null if it goes on
     */
    public DecodedBatch decode(byte[] bytes, long firstMessage, long receivedMicros, @Nullable String end) {
        identify(bytes);
        receivedAtMicros = receivedMicros;
        decoded = new DecodedBatch();
        records = new Records(config.collector(), router, address, id, receivedMicros);
        batch.begin(config.collector(), router, address.getHostAddress(), id, receivedMicros);
        routes.begin(decoded, records);
        long message = firstMessage;
        for (int at = 0; at < bytes.length; message++) {
            int to = at + BmpMessages.length(bytes, at);
            announce(message << 16);
            decodeMessage(bytes, at, to, message << 16);
            at = to;
        }
        messages = message;
        if (end != null) {
            end(end, message << 16);
        }
        decoded.finish(router, batch.isEmpty() ? new byte[0] : batch.build(), batch.eventCount());
        return decoded;
    }

    /** A session is one from its first whole message on: what sends none was no router. */
    private void announce(long sequence) {
        if (!announced) {
            announced = true;
            decoded.begin();
            batch.event(EventKind.SESSION_UP, -1, 0, false, sequence, 0);
            decoded.add(Lane.PEERS, records.session("session-up", sequence, null));
        }
    }

    private void end(String reason, long sequence) {
        identity.settle();
        if (announced) {
            batch.event(EventKind.SESSION_DOWN, -1, 0, false, sequence, 0);
        }
        decoded.add(Lane.PEERS, records.session(announced ? "session-down" : "session-refused", sequence, reason));
    }

    private void decodeMessage(byte[] bytes, int from, int to, long sequence) {
        int code = BmpMessages.type(bytes, from);
        decoded.countMessage(code);
        MessageType type = MessageType.of(code);
        if (type == null) {
            return; // RFC 7854 leaves room for new types: they are on bmp.raw and in the counter of unknown ones
        }
        boolean headed = false;
        int body = from + BmpMessages.PEER_BODY;
        try {
            if (type.hasPerPeerHeader()) {
                header.read(bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to);
                headed = true;
            }
            switch (type) {
                case ROUTE_MONITORING -> routes.decode(header, bytes, from, to, sequence);
                case STATISTICS_REPORT ->
                    decoded.add(
                            Lane.STATS, records.statistics(header, StatisticsReport.decode(bytes, body, to), sequence));
                case PEER_DOWN -> peerDown(PeerDown.decode(bytes, body, to), sequence);
                case PEER_UP -> peerUp(PeerUp.decode(bytes, body, to, header.ipv6()), from, sequence);
                case INITIATION -> decoded.add(Lane.PEERS, records.initiation(information(bytes, from, to), sequence));
                case TERMINATION ->
                    decoded.add(Lane.PEERS, records.termination(information(bytes, from, to), sequence));
                case ROUTE_MIRRORING ->
                    decoded.add(
                            Lane.MIRROR,
                            records.mirror(header, RouteMirroring.decode(bytes, body, to), bytes, sequence));
            }
        } catch (DecodeException e) {
            decoded.add(
                    Lane.QUARANTINE, records.quarantine(headed ? header : null, type, e, bytes, from, to, sequence));
        }
    }

    private static InformationTlvs information(byte[] bytes, int from, int to) {
        return InformationTlvs.decode(bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to);
    }

    private void peerUp(PeerUp up, int message, long sequence) {
        RibView view = header.view();
        MonitoredPeer peer = peers.of(header, message);
        peer.up(view, up.capabilities(view == RibView.LOC_RIB));
        routes.event(EventKind.PEER_UP, peer, view, false, sequence, header.routerTimeMicros());
        decoded.add(Lane.PEERS, records.peerUp(header, up, sequence));
    }

    private void peerDown(PeerDown down, long sequence) {
        RibView view = header.view();
        List<MonitoredPeer> ended = peers.endedBy(header);
        long at = sequence;
        for (MonitoredPeer peer : ended) {
            boolean oneView = peer.endsOneViewOnly(view);
            routes.event(EventKind.PEER_DOWN, peer, view, !oneView, at, header.routerTimeMicros());
            decoded.add(Lane.PEERS, records.peerDown(header, down, peer, !oneView, at));
            if (oneView) {
                peer.down(view);
            } else {
                peers.remove(peer);
            }
            at++;
        }
        if (ended.isEmpty()) {
            decoded.add(Lane.PEERS, records.peerDown(header, down, null, true, sequence));
        }
    }

    @Override
    public String toString() {
        return router + " (" + address.getHostAddress() + ", session " + id + ")";
    }
}
