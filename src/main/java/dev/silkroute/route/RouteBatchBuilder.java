package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.*;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@link RouteBatch} records one after the other, reusing its buffers. Call {@link #begin}, add peers,
 * attribute sets and events in order, then call {@link #build}.
 *
 * <p>Not thread-safe. Allocates per batch, not per event.
 */
public final class RouteBatchBuilder {
    private final Map<PeerEntry, Integer> peerIndexes = new HashMap<>();
    private final RouteGroupBuilder routes = new RouteGroupBuilder(this);

    /** Taken by {@link #begin} if {@link #release} has given them back. */
    private @Nullable BatchBuffers buffers;

    private String collector = "";
    private String router = "";
    private String routerAddress = "";
    private long sessionId;
    private long receivedAtMicros;
    private boolean tableDump;
    private int groupCount;
    private int eventCount;

    /** Starts a record, discarding one that has not been built. */
    public void begin(String collector, String router, String routerAddress, long sessionId, long receivedAtMicros) {
        this.collector = collector;
        this.router = router;
        this.routerAddress = routerAddress;
        this.sessionId = sessionId;
        this.receivedAtMicros = receivedAtMicros;
        if (buffers == null) {
            buffers = BatchBuffers.take();
        } else {
            buffers.reset();
        }
        peerIndexes.clear();
        tableDump = false;
        groupCount = 0;
        eventCount = 0;
    }

    public boolean isEmpty() {
        return groupCount == 0;
    }

    public int eventCount() {
        return eventCount;
    }

    /** Returns the index of a peer in this record's peer table, adding it with an unknown role if absent. */
    public int peer(PeerEntry entry) {
        Integer known = peerIndexes.get(entry);
        return known == null ? add(entry) : known;
    }

    /**
     * Returns the index of a peer in this record's peer table, adding it if absent.
     *
     * @param role what the peer is for the router in the whole record; empty if it is unknown
     */
    public int peer(PeerEntry entry, Optional<NeighborRole> role) {
        int index = peer(entry);
        buffers().peers.array()[index * PEER_BYTES + PEER_ROLE] =
                (byte) role.map(of -> of.code() + 1).orElse(0).intValue();
        return index;
    }

    private int add(PeerEntry entry) {
        int index = peerIndexes.size();
        if (index >= NO_PEER) {
            throw new IllegalStateException("more than " + NO_PEER + " peers in one record");
        }
        peerIndexes.put(entry, index);
        ByteSink peers = buffers().peers;
        peers.u8(entry.view().code());
        peers.u8(entry.peerType());
        peers.u8(entry.ipv6() ? PEER_IPV6 : 0);
        peers.u8(0);
        peers.i64(entry.distinguisher());
        peers.i64(entry.addressHigh());
        peers.i64(entry.addressLow());
        peers.u32(entry.asn());
        peers.u32(entry.bgpId());
        return index;
    }

    /**
     * Sets whether the announcements that follow are part of a {@linkplain RouteCursor#isTableDump table dump}; false
     * after {@link #begin}.
     */
    public void tableDump(boolean dump) {
        tableDump = dump;
    }

    /**
     * Returns the sink to write the canonical bytes of an attribute set to; {@link #attributeSet()} completes the set.
     */
    public ByteSink attributes() {
        return buffers().attributes.sink();
    }

    /** Returns the index of the set just written to {@link #attributes()}, adding it to the record if absent. */
    public int attributeSet() {
        return buffers().attributes.intern();
    }

    /** Returns the index of an attribute set given by its canonical bytes, adding it to the record if absent. */
    public int attributeSet(byte[] canonical, int from, int to) {
        buffers().attributes.sink().bytes(canonical, from, to);
        return buffers().attributes.intern();
    }

    /** Returns the builder of a group of routes of one peer and family, valid until the next call. */
    public RouteGroupBuilder group(int peer, int family) {
        return routes.reset(peer, family);
    }

    void routes(RouteGroupBuilder of, EventKind kind, int set, int count, byte[] bytes, int from, int to) {
        int flags = of.flags() | (tableDump && kind == EventKind.ANNOUNCE ? FLAG_TABLE_DUMP : 0);
        group(kind, flags, of.peer(), of.family(), set, of.sequence(), of.routerTimeMicros(), count, to - from);
        long marking = of.marking();
        if (PathMarking.isMarked(marking)) {
            groups().u32(PathMarking.status(marking));
            groups().u16(PathMarking.hasReason(marking) ? PathMarking.reason(marking) : 0);
            groups().u16(0);
        }
        groups().bytes(bytes, from, to);
    }

    /** Adds an event without NLRI that the router sent, see the other overload. */
    public void event(EventKind kind, int peer, int family, boolean allViews, long sequence, long routerTimeMicros) {
        event(kind, peer, family, allViews, false, sequence, routerTimeMicros);
    }

    /**
     * Adds an event without NLRI.
     *
     * @param peer index of the peer, -1 if the kind {@linkplain EventKind#hasPeer has none}
     * @param family 0 if the kind has none
     * @param allViews see {@link RouteCursor#coversAllViews()}
     * @param synthetic whether the station generated the event, not the router
     * @param routerTimeMicros the router's time in microseconds since 1970, 0 if it gave none
     */
    public void event(
            EventKind kind,
            int peer,
            int family,
            boolean allViews,
            boolean synthetic,
            long sequence,
            long routerTimeMicros) {
        int flags = (allViews ? FLAG_ALL_VIEWS : 0) | (synthetic ? FLAG_SYNTHETIC : 0);
        group(kind, flags, peer < 0 ? NO_PEER : peer, family, NO_SET, sequence, routerTimeMicros, 1, 0);
    }

    /**
     * Adds events of a record unchanged: the event at which a cursor is and those that follow it in its
     * group. The cursor moves to the last of them.
     *
     * @param most the maximum number of events
     * @return the number of events added
     */
    int copy(RouteBatch from, RouteCursor event, int most) {
        EventKind kind = event.kind();
        int peer = event.peerIndex() < 0
                ? NO_PEER
                : peer(from.peer(event.peerIndex()), from.neighborRole(event.peerIndex()));
        int set = event.attributeSet();
        if (set != NO_SET) {
            set = attributeSet(from.bytes(), from.attributesFrom(set), from.attributesTo(set));
        }
        long sequence = event.sequence();
        int nlriFrom = event.nlriStart();
        int count = 1;
        while (count < most && event.hasNextInGroup()) {
            event.next();
            count++;
        }
        int length = kind.isRoute() ? event.nlri().to() - nlriFrom : 0;
        group(kind, event.groupFlags(), peer, event.family(), set, sequence, event.routerTimeMicros(), count, length);
        groups().bytes(from.bytes(), event.markingStart(), event.markingEnd());
        if (length > 0) {
            groups().bytes(from.bytes(), nlriFrom, nlriFrom + length);
        }
        return count;
    }

    private void group(
            EventKind kind,
            int flags,
            int peer,
            int family,
            int set,
            long sequence,
            long routerTimeMicros,
            int count,
            int length) {
        ByteSink groups = groups();
        int at = groups.claim(GROUP_BYTES);
        byte[] b = groups.array();
        b[at + GROUP_KIND] = (byte) kind.code();
        b[at + GROUP_FLAGS] = (byte) flags;
        BigEndian.putU16(b, at + GROUP_PEER, peer);
        BigEndian.putU32(b, at + GROUP_FAMILY, family);
        BigEndian.putU32(b, at + GROUP_SET, set);
        BigEndian.putI64(b, at + GROUP_SEQUENCE, sequence);
        BigEndian.putI64(b, at + GROUP_ROUTER_TIME, routerTimeMicros);
        BigEndian.putU32(b, at + GROUP_COUNT, count);
        BigEndian.putU32(b, at + GROUP_LENGTH, length);
        groupCount++;
        eventCount += count;
    }

    /** Returns the finished record. Call {@link #begin} before you use the builder again. */
    public byte[] build() {
        ByteSink peers = buffers().peers;
        ByteSink groups = buffers().groups;
        AttributeSetTable attributes = buffers().attributes;
        byte[] names = names();
        int directoryAt = NAMES_AT + names.length + peers.position();
        int groupsAt = directoryAt + attributes.length();
        byte[] record = new byte[groupsAt + groups.position()];
        RouteBatch.INT.set(record, 0, MAGIC << 8 | VERSION);
        RouteBatch.INT.set(record, LENGTH, record.length);
        RouteBatch.LONG.set(record, SESSION_ID, sessionId);
        RouteBatch.LONG.set(record, RECEIVED_AT, receivedAtMicros);
        RouteBatch.INT.set(record, EVENTS, eventCount);
        RouteBatch.INT.set(record, GROUPS, groupCount);
        RouteBatch.SHORT.set(record, PEERS, (short) peerIndexes.size());
        RouteBatch.INT.set(record, ATTRIBUTE_SETS, attributes.size());
        RouteBatch.INT.set(record, DIRECTORY_AT, directoryAt);
        RouteBatch.INT.set(record, GROUPS_AT, groupsAt);
        System.arraycopy(names, 0, record, NAMES_AT, names.length);
        System.arraycopy(peers.array(), 0, record, NAMES_AT + names.length, peers.position());
        attributes.writeTo(record, directoryAt);
        System.arraycopy(groups.array(), 0, record, groupsAt, groups.position());
        RouteBatch.INT.set(record, CRC, RouteBatch.checksum(record, record.length));
        return record;
    }

    /** Discards the record, and lets other builders have the buffers until the next {@link #begin}. */
    public void release() {
        if (buffers != null) {
            buffers.giveBack();
            buffers = null;
        }
    }

    private ByteSink groups() {
        return buffers().groups;
    }

    private BatchBuffers buffers() {
        if (buffers == null) {
            throw new IllegalStateException("no record has been begun");
        }
        return buffers;
    }

    private byte[] names() {
        ByteSink sink = new ByteSink();
        for (String name : new String[] {collector, router, routerAddress}) {
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            int length = Math.min(utf8.length, 0xFFFF);
            sink.u16(length);
            sink.bytes(utf8, 0, length);
        }
        byte[] names = new byte[sink.position()];
        System.arraycopy(sink.array(), 0, names, 0, names.length);
        return names;
    }
}
