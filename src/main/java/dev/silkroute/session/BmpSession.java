package dev.silkroute.session;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
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
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decoder of one BMP session: takes the messages of each socket read in their order and returns the events and records that
 * they contain, by lane.
 *
 * <p>Not thread-safe, but may move between threads from batch to batch. {@link #messages}, {@link #awaitsTables} and
 * {@link #clockSkewMicros} may be called by any thread.
 */
public final class BmpSession {
    /** End-of-RIBs that the station says in one batch, before one peer's more: thousands of peers' tables together are more than a batch has room for. */
    private static final int MOST_ENDS = 1 << 14;

    private final SessionConfig config;
    private final long id;
    private final InetAddress address;
    private final RouterIdentity identity;
    private final PeerTable peers;
    private final RouteBatchBuilder batch = new RouteBatchBuilder();
    private final RouteMonitoringDecoder routes;
    private final PerPeerHeader header = new PerPeerHeader();
    private final MirroredMessage mirrored = new MirroredMessage();
    private final ClockSkew skew = new ClockSkew();

    /** Peers that came up and went down, as many as there may be peers: a Peer Down for one of them says nothing new. */
    private final Set<PeerKey> ended = new HashSet<>();

    private volatile long messages;
    private volatile boolean awaitsTables = true;
    private long nextCheckMicros;
    private boolean announced;
    private long receivedAtMicros;
    private DecodedBatch decoded = new DecodedBatch();
    private Records records;

    /**
     * @param id unique among the station's sessions, and larger than that of every earlier session
     * @param address source address of the connection
     * @param identity the router's identity
     */
    public BmpSession(SessionConfig config, long id, InetAddress address, RouterIdentity identity) {
        this.config = config;
        this.id = id;
        this.address = address;
        this.identity = identity;
        peers = new PeerTable(config.maxPeers(), config.addPath(address));
        routes = new RouteMonitoringDecoder(batch, peers);
        records = new Records(config.collector(), identity.name(), address, id, 0);
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

    /** Returns the router's name. */
    public String router() {
        return identity.name();
    }

    /** Messages decoded so far. */
    public long messages() {
        return messages;
    }

    /**
     * By how many microseconds the router's clock is behind the station's, negative if it is ahead; nothing as long as it has told no time. May be asked by
     * any thread.
     */
    public OptionalLong clockSkewMicros() {
        return skew.micros();
    }

    /** Takes the session up in its midst: its beginning was told before, and isn't told again. */
    void resume() {
        announced = true;
    }

    /**
     * Decodes whole messages, which must be framed already.
     *
     * @param firstMessage number of the first message within the session, from 0
     * @param receivedMicros when they were read from the socket, microseconds since 1970
     * @param end why the session ends after them, null if it goes on
     */
    public DecodedBatch decode(byte[] bytes, long firstMessage, long receivedMicros, @Nullable String end) {
        decoded = new DecodedBatch();
        String router = router();
        receivedAtMicros = receivedMicros;
        records = new Records(config.collector(), router, address, id, receivedMicros);
        batch.begin(config.collector(), router, address.getHostAddress(), id, receivedMicros);
        routes.begin(decoded, records, receivedMicros);
        long message = firstMessage;
        for (int at = 0; at < bytes.length; message++) {
            int to = at + BmpMessages.length(bytes, at);
            announce(message << 16);
            decodeMessage(bytes, at, to, message << 16);
            at = to;
        }
        messages = message;
        awaitsTables |= bytes.length > 0;
        endTables(message << 16);
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
            if (identity.source() == RouterIdentity.Source.DISAMBIGUATED) {
                decoded.count(Anomaly.ROUTER_NAME_TAKEN);
            }
            batch.event(EventKind.SESSION_UP, -1, 0, false, sequence, 0);
            decoded.add(LaneName.PEERS, records.session("session-up", sequence, null));
        }
    }

    private void end(String reason, long sequence) {
        if (announced) {
            batch.event(EventKind.SESSION_DOWN, -1, 0, false, sequence, 0);
        }
        decoded.add(LaneName.PEERS, records.session(announced ? "session-down" : "session-refused", sequence, reason));
    }

    private void decodeMessage(byte[] bytes, int from, int to, long sequence) {
        int code = BmpMessages.type(bytes, from);
        decoded.countMessage(code);
        MessageType type = MessageType.of(code);
        if (type == null) {
            return; // RFC 7854 leaves room for new types: they are on bmp.raw and in the counter of unknown ones
        }
        int version = BmpMessages.version(bytes, from);
        boolean headed = false;
        int body = from + BmpMessages.PEER_BODY;
        try {
            if (type.hasPerPeerHeader()) {
                header.read(bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to);
                headed = true;
                skew.seen(header.routerTimeMicros(), receivedAtMicros);
                if (header.hasInvalidTime()) {
                    decoded.count(Anomaly.INVALID_ROUTER_TIME);
                }
            }
            switch (type) {
                case ROUTE_MONITORING -> routes.decode(header, bytes, from, to, sequence);
                case STATISTICS_REPORT ->
                    decoded.add(
                            LaneName.STATS,
                            records.statistics(header, StatisticsReport.decode(bytes, body, to, version), sequence));
                case PEER_DOWN -> peerDown(PeerDown.decode(bytes, body, to, version), sequence);
                case PEER_UP -> peerUp(PeerUp.decode(bytes, body, to, header.ipv6(), version), from, sequence);
                case INITIATION ->
                    decoded.add(LaneName.PEERS, records.initiation(information(bytes, from, to), sequence));
                case TERMINATION ->
                    decoded.add(LaneName.PEERS, records.termination(information(bytes, from, to), sequence));
                case ROUTE_MIRRORING -> mirror(RouteMirroring.decode(bytes, body, to, version), bytes, sequence);
            }
        } catch (DecodeException e) {
            decoded.add(
                    LaneName.QUARANTINE,
                    records.quarantine(headed ? header : null, type, e, bytes, from, to, sequence));
        }
    }

    private static InformationTlvs information(byte[] bytes, int from, int to) {
        return InformationTlvs.decode(
                bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to, BmpMessages.version(bytes, from));
    }

    private void peerUp(PeerUp up, int message, long sequence) {
        RibView view = header.view();
        MonitoredPeer peer = peers.of(header, message, receivedAtMicros);
        boolean repeated = peer.isUp(view);
        if (repeated) {
            decoded.count(Anomaly.REPEATED_PEER_UP);
        }
        ended.remove(peer.key());
        peer.up(view, up.capabilities(view == RibView.LOC_RIB), receivedAtMicros);
        routes.event(EventKind.PEER_UP, peer, view, false, sequence, header.routerTimeMicros());
        decoded.add(LaneName.PEERS, records.peerUp(header, up, peer, repeated, sequence));
    }

    private void peerDown(PeerDown down, long sequence) {
        RibView view = header.view();
        List<MonitoredPeer> ending = peers.endedBy(header);
        long at = sequence;
        for (MonitoredPeer peer : ending) {
            boolean oneView = peer.endsOneViewOnly(view);
            routes.event(EventKind.PEER_DOWN, peer, view, !oneView, at, header.routerTimeMicros());
            decoded.add(LaneName.PEERS, records.peerDown(header, down, peer, !oneView, false, at));
            if (oneView) {
                peer.down(view);
            } else {
                remove(peer);
            }
            at++;
        }
        if (ending.isEmpty()) {
            boolean repeated = ended.contains(PeerKey.of(header));
            decoded.count(repeated ? Anomaly.REPEATED_PEER_DOWN : Anomaly.PEER_DOWN_WITHOUT_PEER_UP);
            decoded.add(LaneName.PEERS, records.peerDown(header, down, null, true, repeated, sequence));
        }
    }

    private void remove(MonitoredPeer peer) {
        peers.remove(peer);
        if (!peer.isUp()) {
            decoded.count(Anomaly.PEER_DOWN_WITHOUT_PEER_UP);
        } else if (ended.size() < config.maxPeers()) {
            ended.add(peer.key());
        }
    }

    /**
     * End-of-RIB for routers that don't send it. It comes after the messages so far; its number is one that the last of them, unless it had
     * 65,536 events, left free. What is too much for the batch is said with the next one.
     */
    private void endTables(long nextSequence) {
        if (receivedAtMicros < nextCheckMicros) {
            return;
        }
        TableDumpLimits limits = config.tableDumps();
        nextCheckMicros = receivedAtMicros + limits.interval().toNanos() / 1000;
        boolean[] open = new boolean[1];
        int[] said = new int[1];
        peers.forEach(peer -> {
            if (peer.isSettled()) {
                return;
            }
            if (said[0] >= MOST_ENDS) {
                open[0] = true;
                nextCheckMicros = receivedAtMicros;
                return;
            }
            for (TableDump table : peer.endQuiet(receivedAtMicros, limits.quietMicros())) {
                decoded.count(Anomaly.MISSING_END_OF_RIB);
                routes.endOfRib(peer, table.view(), table.family(), nextSequence - 1);
                said[0]++;
            }
            if (peer.settle(receivedAtMicros, limits.longestMicros())) {
                routes.endOfRib(peer, peer.anyView(), 0, nextSequence - 1);
                said[0]++;
            }
            open[0] |= !peer.isSettled();
        });
        awaitsTables = open[0];
    }

    /** Whether an End-of-RIB may be due at some time: then {@link #decode} wants to be called now and then, with no message if there is none. */
    public boolean awaitsTables() {
        return awaitsTables;
    }

    private void mirror(RouteMirroring mirroring, byte[] bytes, long sequence) {
        List<Map<String, Object>> said = new ArrayList<>();
        MonitoredPeer peer = peers.find(header);
        UpdateContext context = peer == null
                ? UpdateContext.strict(!header.legacyAsPath(), AddPathFamilies.NONE)
                : peer.context(header).frozen();
        mirrored.begin();
        for (RouteMirroring.Entry entry : mirroring.entries()) {
            if (entry.isBgpMessage()) {
                said.add(mirrored.describe(bytes, entry.from(), entry.to(), context));
                if (mirrored.fault()) {
                    decoded.count(Anomaly.MIRRORED_FAULT);
                }
            } else {
                said.add(Map.of());
            }
        }
        if (mirroring.messagesLost()) {
            decoded.count(Anomaly.MIRRORED_MESSAGES_LOST);
        }
        decoded.add(LaneName.MIRROR, records.mirror(header, mirroring, said, bytes, sequence));
    }

    @Override
    public String toString() {
        return router() + " (" + address.getHostAddress() + ", session " + id + ")";
    }
}
