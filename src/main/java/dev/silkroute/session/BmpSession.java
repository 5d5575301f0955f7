package dev.silkroute.session;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.SessionCapabilities;
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
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decoder of one BMP session: takes the messages of each socket read in their order and returns the events and
 * records that they contain, by lane.
 *
 * <p>Not thread-safe, but may move between threads from batch to batch. {@link #messages}, {@link #awaitsTables},
 * {@link #dumpState}, {@link #ignoreDumpState} and {@link #clockSkewMicros} may be called by any thread.
 */
public final class BmpSession {
    /** Sequence numbers are a message's number followed by 16 bits for the events of the message. */
    private static final int EVENT_BITS = 16;

    private final SessionConfig config;
    private final long id;
    private final InetAddress address;
    private final RouterIdentity identity;
    private final PeerTable peers;
    private final RouteBatchBuilder batch = new RouteBatchBuilder();
    private final RecordWriter records;
    private final RouteMonitoringDecoder routes;
    private final TableCompletion tables;
    private final PerPeerHeader header = new PerPeerHeader();
    private final MirroredMessages mirrored = new MirroredMessages();
    private final ClockSkew skew = new ClockSkew();

    /**
     * Peers that have been up and went down, at most as many as there may be peers: another Peer Down for one of them
     * is a repetition.
     */
    private final Set<PeerKey> ended = new HashSet<>();

    private volatile long messages;
    private volatile DumpState dumpState = DumpState.NOT_BEGUN;
    private volatile boolean dumpStateNeeded = true;
    private SessionPhase phase;
    /** True if an Initiation has been recorded. */
    private boolean initiated;
    /** True if the Initiation had TLVs. */
    private boolean informed;

    private long receivedAtMicros;
    /** The same by a monotonic clock: tables are completed after intervals, which the system clock may interrupt. */
    private long elapsedMicros;

    private DecodedBatch decoded = DecodedBatch.NONE;

    /**
     * @param id unique among the station's sessions, and larger than that of every earlier session
     * @param address source address of the connection
     * @param identity the router's identity
     */
    public BmpSession(SessionConfig config, long id, InetAddress address, RouterIdentity identity) {
        this(config, id, address, identity, new SessionPhase.Connected(), false);
    }

    private BmpSession(
            SessionConfig config,
            long id,
            InetAddress address,
            RouterIdentity identity,
            SessionPhase phase,
            boolean redecoded) {
        this.config = config;
        this.id = id;
        this.address = address;
        this.identity = identity;
        this.phase = phase;
        peers = new PeerTable(config.maxPeers(), config.addPath(address));
        records = new RecordWriter(config.collector(), identity.name(), address, id, redecoded);
        routes = new RouteMonitoringDecoder(batch, peers, records);
        tables = new TableCompletion(config.tableDumps(), peers, routes);
    }

    /**
     * Creates a session whose messages are decoded again.
     *
     * @param fromBeginning whether the session's first message is the first to be decoded; otherwise its beginning is
     *     not reported
     */
    static BmpSession redecoding(
            SessionConfig config, long id, InetAddress address, RouterIdentity identity, boolean fromBeginning) {
        SessionPhase phase = fromBeginning ? new SessionPhase.Connected() : new SessionPhase.Up();
        return new BmpSession(config, id, address, identity, phase, true);
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

    /** Returns the number of messages decoded so far. */
    public long messages() {
        return messages;
    }

    /**
     * Returns by how many microseconds the router's clock is behind the station's, negative if it is ahead; empty as
     * long as the router has sent no time.
     */
    public OptionalLong clockSkewMicros() {
        return skew.micros();
    }

    /**
     * Returns whether {@link #decode} must be called periodically, without messages if there are none, to complete
     * tables.
     */
    public boolean awaitsTables() {
        return tables.isPending();
    }

    /** Returns how much of its tables the router has sent, as of the last batch. */
    public DumpState dumpState() {
        return dumpState;
    }

    /** {@link #dumpState} is not needed any more, so it is not determined for further batches. */
    public void ignoreDumpState() {
        dumpStateNeeded = false;
    }

    /**
     * Decodes whole messages, which must be framed already.
     *
     * @param firstMessage number of the first message within the session, from 0
     * @param receivedMicros when they were read from the socket, microseconds since 1970
     * @param end why the session ends after them, null if it continues
     */
    public DecodedBatch decode(byte[] bytes, long firstMessage, long receivedMicros, @Nullable String end) {
        return decode(bytes, 0, bytes.length, firstMessage, receivedMicros, receivedMicros, end);
    }

    /**
     * Decodes the whole messages in {@code from..to}.
     *
     * @param elapsed when they were read by a monotonic clock, in microseconds
     */
    public DecodedBatch decode(
            byte[] bytes,
            int from,
            int to,
            long firstMessage,
            long receivedMicros,
            long elapsed,
            @Nullable String end) {
        decoded = new DecodedBatch(router());
        receivedAtMicros = receivedMicros;
        elapsedMicros = elapsed;
        records.receivedAt(receivedMicros);
        batch.begin(config.collector(), router(), address.getHostAddress(), id, receivedMicros);
        routes.begin(decoded, elapsed);
        long message = firstMessage;
        for (int at = from; at < to; message++) {
            int next = at + BmpMessages.length(bytes, at);
            if (phase instanceof SessionPhase.Connected connected) {
                phase = connected.firstMessage();
                reportUp(message << EVENT_BITS);
            }
            decodeMessage(bytes, at, next, message << EVENT_BITS);
            at = next;
        }
        messages = message;
        if (to > from) {
            tables.messagesReceived();
        }
        tables.check(decoded, elapsed, message << EVENT_BITS);
        if (dumpStateNeeded) {
            dumpState = peers.dumpState();
        }
        if (end != null) {
            end(end, message << EVENT_BITS);
        }
        if (!batch.isEmpty()) {
            decoded.routes(batch.build(), batch.eventCount());
        }
        return release();
    }

    /** Returns what has been decoded and keeps nothing of it: a session may stay silent for days. */
    private DecodedBatch release() {
        DecodedBatch result = decoded;
        decoded = DecodedBatch.NONE;
        routes.begin(DecodedBatch.NONE, elapsedMicros);
        batch.release();
        return result;
    }

    private void reportUp(long sequence) {
        if (identity.source() == RouterIdentity.Source.DISAMBIGUATED) {
            decoded.count(Anomaly.ROUTER_NAME_TAKEN);
        }
        batch.event(EventKind.SESSION_UP, -1, 0, false, sequence, 0);
        decoded.add(LaneName.PEERS, records.sessionUp(sequence, identity.source()));
    }

    private void end(String reason, long sequence) {
        switch (phase) {
            case SessionPhase.Connected connected -> {
                decoded.add(LaneName.PEERS, records.sessionEnd("session-rejected", sequence, reason));
                phase = connected.rejected();
            }
            case SessionPhase.Up up -> {
                batch.event(EventKind.SESSION_DOWN, -1, 0, false, sequence, 0);
                decoded.add(LaneName.PEERS, records.sessionEnd("session-down", sequence, reason));
                phase = up.down();
            }
            case SessionPhase.Ended _ -> throw new IllegalStateException(this + " has ended already");
        }
    }

    private void decodeMessage(byte[] bytes, int from, int to, long sequence) {
        int code = BmpMessages.type(bytes, from);
        decoded.countMessage(code);
        MessageType type = MessageType.of(code);
        if (type == null) {
            return; // RFC 7854 leaves room for new types; bmp.raw has the message
        }
        int version = BmpMessages.version(bytes, from);
        int body = from + BmpMessages.PEER_BODY;
        boolean hasHeader = false;
        try {
            if (type.hasPerPeerHeader()) {
                readHeader(bytes, from, to);
                hasHeader = true;
            }
            switch (type) {
                case ROUTE_MONITORING -> routes.decode(header, bytes, from, to, sequence);
                case STATISTICS_REPORT ->
                    decoded.add(
                            LaneName.STATS,
                            records.statistics(header, StatisticsReport.decode(bytes, body, to, version), sequence));
                case PEER_DOWN -> peerDown(PeerDown.decode(bytes, body, to, version), sequence);
                case PEER_UP -> peerUp(PeerUp.decode(bytes, body, to, header.ipv6(), version), from, sequence);
                case INITIATION -> initiation(information(bytes, from, to, version), sequence);
                case TERMINATION ->
                    decoded.add(LaneName.PEERS, records.termination(information(bytes, from, to, version), sequence));
                case ROUTE_MIRRORING -> mirror(RouteMirroring.decode(bytes, body, to, version), bytes, sequence);
            }
        } catch (DecodeException e) {
            decoded.add(
                    LaneName.QUARANTINE,
                    records.quarantine(hasHeader ? header : null, type, e, bytes, from, to, sequence));
        }
    }

    private void readHeader(byte[] bytes, int from, int to) throws DecodeException {
        header.read(bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to);
        skew.observe(header.routerTimeMicros(), receivedAtMicros);
        if (header.hasInvalidTime()) {
            decoded.count(Anomaly.INVALID_ROUTER_TIME);
        }
    }

    /**
     * Records the first Initiation and, if that has no TLVs, the first with some. A record for each of many would cost
     * a hundred times their size.
     */
    private void initiation(InformationTlvs information, long sequence) {
        boolean informs = !information.tlvs().isEmpty();
        if (informed || initiated && !informs) {
            decoded.count(Anomaly.REPEATED_INITIATION);
            return;
        }
        decoded.add(LaneName.PEERS, records.initiation(information, sequence));
        initiated = true;
        informed = informs;
    }

    private static InformationTlvs information(byte[] bytes, int from, int to, int version) {
        return InformationTlvs.decode(bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to, version);
    }

    private void peerUp(PeerUp up, int message, long sequence) {
        RibView view = header.view();
        MonitoredPeer peer = peers.of(header, message, elapsedMicros);
        boolean repeated = peer.isUp(view);
        if (repeated) {
            decoded.count(Anomaly.REPEATED_PEER_UP);
        }
        ended.remove(peer.key());
        boolean locRib = view == RibView.LOC_RIB;
        SessionCapabilities agreed = up.capabilities(locRib);
        if (!locRib) {
            agreed = agreed.orNeighborRole(config.neighborRole(peer.asn()));
        }
        peer.up(view, agreed, elapsedMicros);
        routes.event(EventKind.PEER_UP, peer, view, false, sequence, header.routerTimeMicros());
        decoded.add(LaneName.PEERS, records.peerUp(header, up, agreed, peer, repeated, sequence));
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

    private void mirror(RouteMirroring mirroring, byte[] bytes, long sequence) {
        MonitoredPeer peer = peers.find(header);
        mirrored.begin(
                peer == null
                        ? UpdateContext.strict(!header.legacyAsPath(), AddPathFamilies.NONE)
                        : peer.context(header).frozen());
        decoded.add(LaneName.MIRROR, records.mirror(header, mirroring, mirrored, bytes, sequence));
        decoded.count(Anomaly.MIRRORED_FAULT, mirrored.faults());
        if (mirroring.messagesLost()) {
            decoded.count(Anomaly.MIRRORED_MESSAGES_LOST);
        }
    }

    @Override
    public String toString() {
        return router() + " (" + address.getHostAddress() + ", session " + id + ")";
    }
}
